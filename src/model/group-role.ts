/** A role that a group of the OpenID provider gives. */
import type { Role } from './role.ts';

export interface GroupRole {
  /** Name or id of the group, as the provider sends it. */
  readonly group: string;
  readonly role: Role;
  /** Id of the account that the role is for; `null`: every account. */
  readonly accountId: string | null;
}
