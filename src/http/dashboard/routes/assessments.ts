/** GET …/assessments and …/assessments.csv: the log, by page and as a file. */
import { Readable } from 'node:stream';
import type { LogPage } from '../../../contract/dashboard/assessments.ts';
import type { LoggedAssessment, LogStore } from '../../../store/log-store.ts';
import { CSV_HEADER, toCsvLine } from '../log/csv.ts';
import { describeExport } from '../log/describe-export.ts';
import { readLimit, readLogFilter, type SearchReaders } from '../log/log-filter.ts';
import { toLogRow } from '../log/log-row.ts';
import type { DashboardRoutes } from '../route.ts';
import { readNumberCursor, toCursor } from '../values/cursor.ts';

export interface AssessmentsRoutesOptions {
  readonly store: Pick<LogStore, 'findAssessments' | 'exportAssessments' | 'dayCounts'>;
  readonly readers: SearchReaders;
}

const PAGE = 50;
const LONGEST_PAGE = 200;

export function assessmentsRoutes(routes: DashboardRoutes, options: AssessmentsRoutesOptions): void {
  const { store, readers } = options;

  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/assessments',
    least: 'member',
    async handle({ account, query, now }): Promise<LogPage> {
      const search = readLogFilter(query, readers, now);
      const after = readNumberCursor(query.cursor);
      const limit = readLimit(query.limit, PAGE, LONGEST_PAGE);
      const { rows, next, partial } = await store.findAssessments(account.id, search, after, limit);
      const cursor = toCursor(next === null ? null : { at: next.at, mark: String(next.seq) });
      return { rows: rows.map(toLogRow), cursor, partial };
    },
  });

  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/assessments.csv',
    least: 'member',
    async handle({ account, query, reply, now, audit }) {
      const search = readLogFilter(query, readers, now);
      // Personal data leaves: who took it is kept before the first byte.
      await audit(
        'signups.export',
        'signups',
        await describeExport(store, account.id, { search, query, now }),
      );
      const day = new Date(now).toISOString().slice(0, 10);
      const lines = Readable.from(csvOf(store.exportAssessments(account.id, search)));
      return reply
        .type('text/csv; charset=utf-8')
        .header('Content-Disposition', `attachment; filename="assessments-${day}.csv"`)
        .send(lines);
    },
  });
}

async function* csvOf(chunks: AsyncIterable<readonly LoggedAssessment[]>): AsyncIterable<string> {
  yield CSV_HEADER;
  for await (const chunk of chunks) yield chunk.map((row) => toCsvLine(toLogRow(row))).join('');
}
