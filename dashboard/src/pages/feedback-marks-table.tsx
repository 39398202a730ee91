/** The reported mistakes: the verdict, the report, and a link to the explanation. */
import type { ReactNode } from 'react';
import type { FeedbackRow, Label } from '../../../src/contract/dashboard-assessments.ts';
import { useScope } from '../scope.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { personName } from '../ui/person-name.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { EMAIL_COLUMN, FINDING_COLUMN, SCORE_COLUMN, VERDICT_COLUMN } from '../ui/signup-columns.tsx';
import styles from './feedback-page.module.css';

const OUTCOME_WORDS = {
  false_positive: 'Good customer',
  false_negative: 'Fraud',
  confirmed_fraud: 'Fraud confirmed',
} as const satisfies Record<Label, string>;

export function MarksTable({ rows, empty }: { rows: readonly FeedbackRow[] | undefined; empty: ReactNode }) {
  const { page } = useScope();
  return (
    <DataTable
      label="Reported mistakes"
      columns={COLUMNS}
      rows={rows}
      rowKey={({ request_id }) => request_id}
      href={({ request_id }) => page(`assessments/${request_id}`)}
      empty={empty}
      skeletons={5}
    />
  );
}

const COLUMNS: readonly Column<FeedbackRow>[] = [
  {
    id: 'outcome',
    head: 'Report',
    width: 128,
    cell: ({ mark }) => <span className={styles.outcome}>{OUTCOME_WORDS[mark.outcome]}</span>,
  },
  { ...VERDICT_COLUMN, head: 'Was', from: 'sm' },
  { ...SCORE_COLUMN, from: 'xl' },
  EMAIL_COLUMN,
  { ...FINDING_COLUMN, width: '19%', from: 'lg' },
  {
    id: 'note',
    head: 'Note',
    width: '20%',
    from: 'md',
    cell: ({ mark }) =>
      mark.note === null || mark.note === '' ? (
        <span className="gh-faint">none</span>
      ) : (
        <span title={mark.note}>{mark.note}</span>
      ),
  },
  {
    id: 'by',
    head: 'By',
    width: 'clamp(128px, 11vw, 160px)',
    from: 'lg',
    cell: ({ mark }) => (
      <span className="gh-dim" title={mark.by}>
        {personName(mark.by)}
      </span>
    ),
  },
  {
    id: 'at',
    head: 'Reported',
    width: 'clamp(84px, 10vw, 128px)',
    align: 'right',
    cell: ({ mark }) => <RelativeTime at={mark.at} />,
  },
];
