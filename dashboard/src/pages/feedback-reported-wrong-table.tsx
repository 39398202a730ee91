/** How many of the signups that a reason stopped were reported as good customers, the most harmful reason first. */
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { ReasonReports } from '../../../src/contract/dashboard-assessments.ts';
import { useScope } from '../scope.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { grouped, percent } from '../ui/format.ts';
import { NumberText } from '../ui/number-text.tsx';
import { ReasonTag } from '../ui/reason-tag.tsx';
import styles from './feedback-page.module.css';

export function ReportedWrongTable({ rows }: { rows: readonly ReasonReports[] | undefined }) {
  const { page, period } = useScope();
  const columns = useMemo(
    () => columnsOf((code) => page('assessments', { reason: code, feedback: 'false_positive', period })),
    [page, period],
  );
  return (
    <DataTable
      label="Reported wrong, by reason"
      columns={columns}
      rows={rows}
      rowKey={({ code }) => code}
      skeletons={4}
      empty={<EmptyState title="Nobody was challenged or blocked in this period" />}
    />
  );
}

function columnsOf(historyOf: (code: string) => string): readonly Column<ReasonReports>[] {
  return [
    { id: 'code', head: 'Reason', cell: ({ code }) => <ReasonTag code={code} /> },
    {
      id: 'stopped',
      head: 'Stopped',
      width: 96,
      align: 'right',
      from: 'sm',
      cell: ({ stopped }) => <NumberText value={stopped} />,
    },
    {
      id: 'reported_wrong',
      head: 'Reported wrong',
      width: '40%',
      cell: (row) => <ReportedWrong {...row} href={historyOf(row.code)} />,
    },
    {
      id: 'confirmed',
      head: 'Confirmed fraud',
      width: 128,
      align: 'right',
      from: 'md',
      cell: ({ confirmed }) => <NumberText value={confirmed} />,
    },
    {
      id: 'precision',
      head: 'Precision',
      width: 160,
      align: 'right',
      from: 'md',
      cell: (row) => <Precision {...row} />,
    },
  ];
}

function ReportedWrong({ stopped, reported_wrong: wrong, href }: ReasonReports & { href: string }) {
  if (wrong === 0) return <span className="gh-faint">none</span>;
  return (
    <span className={styles.rate}>
      <Link href={href} className={styles.reports}>
        {grouped(wrong)} of {grouped(stopped)}
        <span className="gh-hidden"> reported wrong, show them in Signups</span>
      </Link>
      <span className="gh-dim">({percent(wrong, stopped)})</span>
      <span className={styles.track} aria-hidden>
        <span style={{ width: `${(100 * wrong) / stopped}%` }} />
      </span>
    </span>
  );
}

/** Shows the precision among labelled signups only. Not shown without confirmed fraud: it would always be 0. */
function Precision({ precision, reported_wrong: wrong, confirmed }: ReasonReports) {
  if (precision === null) return <span className="gh-faint">–</span>;
  return (
    <span>
      {percent(precision, 1)} <span className="gh-dim">of {grouped(wrong + confirmed)} labels</span>
    </span>
  );
}
