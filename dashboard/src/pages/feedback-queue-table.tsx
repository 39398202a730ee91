/** The queue of mistakes: what was reported, by whom, with a link to the explanation; and a customer whom a member asked to let in is let in with one click. */
import { Button } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import type { Label } from '../../../src/contract/dashboard-assessments.ts';
import type { MistakeRow } from '../../../src/contract/dashboard-mistakes.ts';
import { useScope } from '../scope.ts';
import { actionsColumn, type Column, DataTable } from '../ui/data-table.tsx';
import { MeanwhileDialog } from '../ui/meanwhile-dialog.tsx';
import { meanwhileOf } from '../ui/meanwhile-note.tsx';
import { personName } from '../ui/person-name.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import type { RowSelection } from '../ui/row-selection.ts';
import { EMAIL_COLUMN, FINDING_COLUMN, SCORE_COLUMN, VERDICT_COLUMN } from '../ui/signup-columns.tsx';
import { useRealCustomer } from './assessment-label.ts';
import styles from './feedback-page.module.css';

const OUTCOME_WORDS = {
  false_positive: 'Good customer',
  false_negative: 'Fraud',
  confirmed_fraud: 'Fraud confirmed',
} as const satisfies Record<Label, string>;
const DAYS = 30;

export interface QueueTableProps {
  readonly rows: readonly MistakeRow[] | undefined;
  readonly empty: ReactNode;
  /** Absent: the role closes none. */
  readonly selection: RowSelection<MistakeRow> | undefined;
}

export function QueueTable({ rows, empty, selection }: QueueTableProps) {
  const { page, canList } = useScope();
  const hasRequests = canList && rows?.some(isWaiting) === true;
  const columns = useMemo(() => (hasRequests ? [...COLUMNS, LET_IN] : COLUMNS), [hasRequests]);
  return (
    <DataTable
      label="Mistakes"
      columns={columns}
      rows={rows}
      rowKey={({ request_id }) => request_id}
      href={({ request_id }) => page(`assessments/${request_id}`)}
      empty={empty}
      skeletons={5}
      {...(selection !== undefined && { selection })}
    />
  );
}

const COLUMNS: readonly Column<MistakeRow>[] = [
  {
    id: 'outcome',
    head: 'Report',
    width: 128,
    cell: ({ mark, kind }) => (
      <span className={styles.outcome}>
        {kind === 'report' ? OUTCOME_WORDS[mark.outcome] : kind === 'request' ? 'Request' : 'Appeal'}
      </span>
    ),
  },
  { ...VERDICT_COLUMN, head: 'Was', from: 'sm' },
  { ...SCORE_COLUMN, from: 'xl' },
  EMAIL_COLUMN,
  { ...FINDING_COLUMN, width: '17%', from: 'lg' },
  { id: 'note', head: 'Note', width: '17%', from: 'md', cell: (row) => <Note row={row} /> },
  {
    id: 'by',
    head: 'By',
    width: 'clamp(112px, 10vw, 150px)',
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

const LET_IN = actionsColumn<MistakeRow>('clamp(84px, 13vw, 172px)', (row) =>
  isWaiting(row) ? <LetIn row={row} /> : null,
);

/** Somebody waits to be let in. */
function isWaiting({ kind, closed }: MistakeRow): boolean {
  return kind !== 'report' && closed === null;
}

function Note({ row: { mark, closed } }: { row: MistakeRow }) {
  if (closed !== null)
    return (
      <span title={closed.by}>
        closed by {personName(closed.by)}
        {closed.until !== null && (
          <>
            , let in until <RelativeTime at={closed.until} />
          </>
        )}
      </span>
    );
  if (mark.note === null || mark.note === '') return <span className="gh-faint">none</span>;
  return <span title={mark.note}>{mark.note}</span>;
}

function LetIn({ row }: { row: MistakeRow }) {
  const { request_id, email, mark, version } = row;
  const isAppeal = row.kind === 'appeal';
  const letIn = useRealCustomer({ request_id, feedback: row.feedback, version });
  const send = () =>
    letIn.mutate({
      // The report of a colleague stays hers.
      report: isAppeal,
      mailbox: true,
      days: DAYS,
      reason: isAppeal ? 'Appeal' : `Asked by ${mark.by}`,
    });
  return (
    <>
      <Button
        size="compact-xs"
        loading={letIn.isPending}
        onClick={(event) => {
          event.stopPropagation();
          send();
        }}
        aria-label={isAppeal ? `${email} is a real customer` : `Let ${email} in for ${DAYS} days`}
      >
        {isAppeal ? 'Real customer' : 'Let in'}
      </Button>
      {meanwhileOf(letIn.error) === undefined && <ProblemNote error={letIn.error} />}
      <MeanwhileDialog
        error={letIn.error}
        title={`Let ${email} in?`}
        verb="Let in"
        onSave={send}
        onYield={letIn.reset}
      />
    </>
  );
}
