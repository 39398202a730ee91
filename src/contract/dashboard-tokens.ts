/** Messages of the dashboard's API about tokens of the management API. */
import type { ManageScope } from '../model/manage-token.ts';

export interface TokenRow {
  readonly id: string;
  readonly name: string;
  /** First 20 characters of the token. */
  readonly prefix: string;
  readonly scopes: readonly ManageScope[];
  /** The only account that it may see and change; `null`: all. */
  readonly account: { readonly id: string; readonly name: string } | null;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export interface NewTokenBody {
  readonly name: string;
  /** Scopes, at least one. */
  readonly scopes: readonly ManageScope[];
  /** `null`: all accounts, also later ones. */
  readonly account_id: string | null;
  /** Whole days until it ends, 1 to 3,650; `null`: it never ends. */
  readonly expires_in_days: number | null;
}

/** The only answer that ever has the token itself. */
export interface CreatedToken {
  readonly token: TokenRow;
  readonly secret: string;
}
