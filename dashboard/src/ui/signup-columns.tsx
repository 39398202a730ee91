/** The columns that every table of signups has. */
import type { LogRow } from '../../../src/contract/dashboard-assessments.ts';
import type { Column } from './data-table.tsx';
import { Score } from './score.tsx';
import { VerdictBadge } from './verdict-badge.tsx';

export const VERDICT_COLUMN: Column<Pick<LogRow, 'verdict' | 'shadow'>> = {
  id: 'verdict',
  head: 'Verdict',
  width: 126,
  cell: ({ verdict, shadow }) => <VerdictBadge verdict={verdict} observed={shadow} />,
};

export const SCORE_COLUMN: Column<Pick<LogRow, 'score' | 'verdict'>> = {
  id: 'score',
  head: 'Score',
  width: 104,
  align: 'right',
  from: 'sm',
  cell: ({ score, verdict }) => <Score value={score} verdict={verdict} />,
};

export const EMAIL_COLUMN: Column<Pick<LogRow, 'email'>> = {
  id: 'email',
  head: 'Email',
  cell: ({ email }) => <span title={email}>{email}</span>,
};
