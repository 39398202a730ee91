/** The port for the audit log: who changed what, and when. */
import type { AttackAction } from './attack-action-store.ts';

export interface AuditEntry {
  readonly at: number;
  /** Email of the user, or `command line (alice@host)`. */
  readonly by: string;
  /** `null`: of the whole installation. */
  readonly accountId: string | null;
  readonly action: string;
  readonly target: string;
  readonly detail: string;
  /** The value of a list entry for an address (a keyed hash) or an IP, for an erasure alone: no page shows it. */
  readonly subject?: string;
  /** Written with it: how the change is taken back. */
  readonly undo?: AttackAction;
}

/** Makes an entry of one account's log, in the name of who makes the change. */
export type MakeAuditEntry = (action: string, target: string, detail: string) => AuditEntry;

/**
 * The last argument of calls that change something. The entries are written in the transaction of the change, so that
 * neither exists without the other. If nothing changes, none is written. Commands and pages pass one.
 */
export type AuditEntries = readonly AuditEntry[];

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** Position of each entry in the log, which stays the same; as `after`, it asks for older ones. */
  readonly positions: readonly number[];
  /** Pass it as `after` for the next page; `null` at the end. */
  readonly next: number | null;
}

/** An absent member matches everything. */
export interface AuditFilter {
  /** Milliseconds since the epoch: not before. */
  readonly since?: number | undefined;
  /** Milliseconds since the epoch: before. */
  readonly until?: number | undefined;
  /** `key.create`; with a dot at the end, all that begin so: `key.`. */
  readonly action?: string | undefined;
  /** Part of who did it, in any case: `jo@`, `command line`. */
  readonly by?: string | undefined;
  /** Part of what was changed, or of the detail, in any case: `mailinator`, `key web`. */
  readonly target?: string | undefined;
}

export interface AuditStore {
  /** Notes an action that changes nothing here, such as an export; written before they begin. Any strings. */
  audit(entry: AuditEntry): Promise<void>;
  /**
   * Newest first; if the account is `null`, actions on the whole installation. With a filter, a page may have fewer
   * entries than `limit`, or none, although there are more: only some thousands are read at a time.
   */
  auditEntries(
    accountId: string | null,
    after: number | null,
    limit: number,
    filter?: AuditFilter,
  ): Promise<AuditPage>;
}
