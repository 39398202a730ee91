/** How often each reason was right, as far as reports tell; below twenty they tell nothing. */
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { ReasonPrecision } from '../../../../src/contract/dashboard/assessments.ts';
import { useScope } from '../../scope.ts';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { percent } from '../../ui/text/format.ts';
import { NumberText } from '../../ui/text/number-text.tsx';
import { ReasonTag } from '../../ui/verdict/reason-tag.tsx';
import styles from './feedback.module.css';

const ENOUGH_LABELS = 20;

export function PrecisionTable({ rows }: { rows: readonly ReasonPrecision[] | undefined }) {
  const { page } = useScope();
  const columns = useMemo(
    () => [...columnsOf((code) => page('assessments', { reason: code, feedback: 'any' }))],
    [page],
  );
  return (
    <DataTable
      label="Precision by reason"
      columns={columns}
      rows={rows}
      rowKey={({ code }) => code}
      skeletons={4}
      empty={<EmptyState title="Nobody was challenged or blocked in this period" />}
    />
  );
}

function columnsOf(logOf: (code: string) => string): readonly Column<ReasonPrecision>[] {
  return [
    { id: 'code', head: 'Reason', cell: ({ code }) => <ReasonTag code={code} /> },
    {
      id: 'given',
      head: 'Given',
      width: 96,
      align: 'right',
      from: 'sm',
      cell: ({ given }) => <NumberText value={given} />,
    },
    {
      id: 'labels',
      head: 'Reports',
      width: 84,
      align: 'right',
      cell: ({ code, labels }) =>
        labels === 0 ? (
          <NumberText value={0} />
        ) : (
          <Link href={logOf(code)} className={styles.reports}>
            <NumberText value={labels} />
            <span className="gh-hidden"> reports, show them in the log</span>
          </Link>
        ),
    },
    {
      id: 'false_positives',
      head: 'False positives',
      width: 128,
      align: 'right',
      from: 'md',
      cell: ({ false_positives }) => <NumberText value={false_positives} />,
    },
    { id: 'precision', head: 'Precision', width: '26%', cell: (row) => <Precision {...row} /> },
  ];
}

function Precision({ precision, labels }: ReasonPrecision) {
  if (precision === null)
    return (
      <span className="gh-faint">
        too few
        <span className={styles.few}>
          {' '}
          ({labels} of {ENOUGH_LABELS})
        </span>
      </span>
    );
  return (
    <span className={styles.precision}>
      <span className={styles.track} aria-hidden>
        <span style={{ width: `${100 * precision}%` }} />
      </span>
      {percent(precision, 1)}
    </span>
  );
}
