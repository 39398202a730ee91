/** Exports the audit log as a file, newest first: as many entries as the filter finds. */
import { toCsvRow } from '../contract/csv-row.ts';
import type { AuditEntry, AuditFilter, AuditPage, AuditStore } from '../store/audit-store.ts';
import type { RequestContext } from './core/request-context.ts';
import { toInstant } from './dashboard-history.ts';

const OK = 200;
/** Entries read at a time. */
const CHUNK_ENTRIES = 200;
const COLUMNS = ['id', 'at', 'by', 'action', 'target', 'detail'];

export interface AuditCsv {
  readonly store: Pick<AuditStore, 'auditEntries'>;
  readonly accountId: string | null;
  readonly filter: AuditFilter | undefined;
  /** Milliseconds since the epoch, for the name of the file. */
  readonly now: number;
  /** Notes who exports, before the first byte is sent. The entry is no part of the file: it is newer than what the page shows. */
  note(): Promise<void>;
}

export async function sendAuditCsv(
  context: RequestContext,
  { store, accountId, filter, now, note }: AuditCsv,
): Promise<void> {
  const read = (after: number | null) => store.auditEntries(accountId, after, CHUNK_ENTRIES, filter);
  // An error of the first read still becomes the answer.
  const first = await read(null);
  await note();
  const day = new Date(now).toISOString().slice(0, 10);
  context.header('Content-Disposition', `attachment; filename="audit-log-${day}.csv"`);
  await context.stream(OK, 'text/csv; charset=utf-8', csvOf(first, read));
}

async function* csvOf(first: AuditPage, read: (after: number) => Promise<AuditPage>): AsyncIterable<string> {
  yield toCsvRow(COLUMNS);
  for (let page = first; ; page = await read(page.next)) {
    yield page.entries.map((entry, index) => toLine(page.positions[index] as number, entry)).join('');
    if (page.next === null) return;
  }
}

function toLine(position: number, { at, by, action, target, detail }: AuditEntry): string {
  return toCsvRow([position, toInstant(at), by, action, target, detail]);
}
