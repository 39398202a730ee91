/** How many of the signups that a main finding stopped were reported as good customers, the most harmful one first. */
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { FindingReports, Label } from '../../../src/contract/dashboard-assessments.ts';
import { labelOfDetector } from '../../../src/contract/detectors.ts';
import { useScope } from '../scope.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { grouped, percent } from '../ui/format.ts';
import { NumberText } from '../ui/number-text.tsx';
import styles from './feedback-page.module.css';

export function ReportedWrongTable({ rows }: { rows: readonly FindingReports[] | undefined }) {
  const { page, period } = useScope();
  const columns = useMemo(
    () =>
      columnsOf((finding, feedback) =>
        page('assessments', { finding, feedback, verdict: 'challenge,block', period }),
      ),
    [page, period],
  );
  return (
    <DataTable
      label="Reported wrong, by main finding"
      columns={columns}
      rows={rows}
      rowKey={({ detector }) => detector}
      skeletons={4}
      empty={<EmptyState title="Nobody was challenged or blocked in this period" />}
    />
  );
}

type HistoryOf = (detector: string, feedback?: Label) => string;

function columnsOf(historyOf: HistoryOf): readonly Column<FindingReports>[] {
  return [
    { id: 'finding', head: 'Main finding', wrap: true, cell: ({ detector }) => labelOfDetector(detector) },
    {
      id: 'stopped',
      head: 'Stopped',
      width: 96,
      align: 'right',
      from: 'sm',
      cell: ({ detector, stopped }) => <Count value={stopped} href={historyOf(detector)} />,
    },
    {
      id: 'reported_wrong',
      head: 'Reported wrong',
      width: 'clamp(136px, 40%, 420px)',
      cell: (row) => <ReportedWrong {...row} href={historyOf(row.detector, 'false_positive')} />,
    },
    {
      id: 'confirmed',
      head: 'Confirmed fraud',
      width: 128,
      align: 'right',
      from: 'md',
      cell: ({ detector, confirmed }) => (
        <Count value={confirmed} href={historyOf(detector, 'confirmed_fraud')} />
      ),
    },
    {
      id: 'precision',
      head: 'Precision',
      width: 200,
      align: 'right',
      from: 'md',
      cell: (row) => <Precision {...row} />,
    },
  ];
}

function Count({ value, href }: { value: number; href: string }) {
  if (value === 0) return <span className="gh-faint">0</span>;
  return (
    <Link href={href}>
      <NumberText value={value} />
    </Link>
  );
}

function ReportedWrong({ stopped, reported_wrong: wrong, href }: FindingReports & { href: string }) {
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
function Precision(row: FindingReports) {
  const { precision, precision_interval: interval, reported_wrong: wrong, confirmed } = row;
  if (precision === null || interval === null) return <span className="gh-faint">–</span>;
  return (
    <span title={`${percent(precision, 1)} of ${grouped(wrong + confirmed)} labelled signups`}>
      {percent(precision, 1)}{' '}
      <span className="gh-dim">
        {Math.round(interval.low * 100)}–{Math.round(interval.high * 100)}%, {grouped(wrong + confirmed)}{' '}
        labels
      </span>
    </span>
  );
}
