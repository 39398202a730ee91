/** What the dashboard's API says to people who come by a link: to set up, to return, or to join an account. */
import type { Role } from './account.ts';

/** What a link of `/setup#…` is for. */
export interface Claim {
  /** `operator`: makes one, with a name, an email and a password; `reset`: sets a new password for the one named. */
  readonly purpose: 'operator' | 'reset';
  /** `null` for an operator yet to be made. */
  readonly email: string | null;
}

/** What a link of `/invitations#…` offers. */
export interface InvitationOffer {
  readonly email: string;
  readonly account_name: string;
  readonly role: Role;
  readonly invited_by: string;
  readonly expires_at: string;
}
