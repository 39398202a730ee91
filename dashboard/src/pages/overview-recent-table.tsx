/** The newest challenged and blocked signups, each with a link to its explanation. */
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';
import { useScope } from '../scope.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import {
  AT_COLUMN,
  EMAIL_COLUMN,
  FINDING_COLUMN,
  SCORE_COLUMN,
  VERDICT_COLUMN,
} from '../ui/signup-columns.tsx';

const COLUMNS: readonly Column<AssessmentRow>[] = [
  VERDICT_COLUMN,
  SCORE_COLUMN,
  EMAIL_COLUMN,
  { ...FINDING_COLUMN, width: '30%' },
  {
    id: 'ip',
    head: 'IP',
    from: 'lg',
    width: 180,
    cell: ({ ip, country_code }) =>
      ip === null ? (
        <span className="gh-faint">none</span>
      ) : (
        <>
          <span className="gh-mono">{ip}</span> <span className="gh-faint">{country_code}</span>
        </>
      ),
  },
  AT_COLUMN,
];

export function RecentTable({ rows }: { rows: readonly AssessmentRow[] | undefined }) {
  const { page } = useScope();
  return (
    <DataTable
      label="Latest challenged and blocked"
      columns={COLUMNS}
      rows={rows}
      rowKey={({ request_id }) => request_id}
      href={({ request_id }) => page(`assessments/${request_id}`)}
      skeletons={5}
      empty={<EmptyState title="Nobody was challenged or blocked in this period" />}
    />
  );
}
