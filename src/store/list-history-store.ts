/** The port for the history of list entries, which the audit log has: who added, changed and removed what people are shown of one. */
import type { AuditEntries, AuditEntry } from './dashboard-store.ts';

export interface ListHistoryStore {
  /** The entries of the audit log about values that are shown so, newest first, at most 500. Masked addresses may be several people's. */
  listHistory(accountId: string, shown: readonly string[]): Promise<readonly AuditEntry[]>;
  /** Takes these values and reasons out of them; who did it and when stays. */
  eraseListHistory(accountId: string, shown: readonly string[], ...audit: AuditEntries): Promise<void>;
}
