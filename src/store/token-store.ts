/** The port for tokens of the management API: only their hashes are stored. */
import type { ManageToken } from '../model/manage-token.ts';
import type { AuditEntries } from './audit-store.ts';

/** Changes are changes of the directory. */
export interface TokenStore {
  /** Stores a new token. @throws when it is bound to an account that does not exist */
  saveToken(token: ManageToken, ...audit: AuditEntries): Promise<void>;
  /** Refuses it from now on. Nothing happens where there is no such token, or it is revoked already. */
  revokeToken(id: string, at: number, ...audit: AuditEntries): Promise<void>;
}
