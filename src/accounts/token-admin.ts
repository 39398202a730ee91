/** Creates and revokes tokens of the management API, each with its audit entry: for the command line and the dashboard. */
import type { MakeId } from '../contract/identifiers.ts';
import type { ManageToken } from '../model/manage-token.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { TokenStore } from '../store/token-store.ts';
import { describeToken, makeManageToken, type NewManageToken } from './manage-tokens.ts';

/** Max. lifetime of a token, in days. */
export const MAX_TOKEN_DAYS = 3_650;

type MakeEntry = (accountId: string | null, action: string, target: string, detail: string) => AuditEntry;

export interface TokenAdminOptions {
  readonly store: Pick<TokenStore, 'saveToken' | 'revokeToken'>;
  readonly makeId: MakeId;
  /** Names who does it. */
  readonly auditEntry: MakeEntry;
}

export interface TokenAdmin {
  /** `secret` is shown once and stored nowhere. @throws when there is no such account */
  create(
    settings: Omit<NewManageToken, 'id' | 'createdBy'>,
  ): Promise<{ readonly token: ManageToken; readonly secret: string }>;
  /** Refuses it from now on; nothing happens where it is revoked already. `now`: milliseconds since the epoch. */
  revoke(token: ManageToken, now: number): Promise<void>;
}

export function createTokenAdmin({ store, makeId, auditEntry }: TokenAdminOptions): TokenAdmin {
  /** Audit entry in the log of the account that the token is bound to, else in the installation's. */
  const entryOf = ({ accountId, name }: ManageToken, action: string, detail: string) =>
    auditEntry(accountId, action, `token ${name}`, detail);
  return {
    async create(settings) {
      const createdBy = auditEntry(null, '', '', '').by;
      const made = makeManageToken({ ...settings, id: makeId('tok', settings.now), createdBy });
      await store.saveToken(made.token, entryOf(made.token, 'token.create', describeToken(made.token)));
      return made;
    },
    async revoke(token, now) {
      await store.revokeToken(token.id, now, entryOf(token, 'token.revoke', `${token.prefix}…`));
    },
  };
}
