/** The columns that every table of signups has. */
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';
import type { Verdict } from '../../../src/contract/messages.ts';
import type { Column } from './data-table.tsx';
import { DomainText } from './domain-text.tsx';
import { MainFindingBelow, MainFindingText } from './main-finding.tsx';
import { RelativeTime } from './relative-time.tsx';
import styles from './verdict.module.css';
import { VerdictBadge } from './verdict-badge.tsx';
import { VERDICTS } from './verdicts.ts';

/** A very narrow window shows the icon alone, and sets the variable. */
export const VERDICT_WIDTH = 'var(--gh-verdict-width, clamp(114px, 13.6vw, 138px))';

export const VERDICT_HEAD = <span className={styles.word}>Verdict</span>;

export const VERDICT_COLUMN: Column<Pick<AssessmentRow, 'verdict' | 'shadow'>> = {
  id: 'verdict',
  head: VERDICT_HEAD,
  width: VERDICT_WIDTH,
  cell: ({ verdict, shadow }) => <VerdictBadge verdict={verdict} observed={shadow} />,
};

export const SCORE_COLUMN: Column<Pick<AssessmentRow, 'score' | 'verdict'>> = {
  id: 'score',
  head: 'Score',
  width: 'clamp(46px, 10.2vw, 104px)',
  align: 'right',
  cell: ({ score, verdict }) => <Score value={score} verdict={verdict} />,
};

export const EMAIL_COLUMN: Column<Pick<AssessmentRow, 'email' | 'main_finding'>> = {
  id: 'email',
  head: 'Email',
  cell: ({ email, main_finding }) => (
    <>
      <span title={email}>
        <DomainText text={email} />
      </span>
      <MainFindingBelow finding={main_finding} />
    </>
  ),
};

/** Column for tables where there is room. */
export const FINDING_COLUMN: Column<Pick<AssessmentRow, 'main_finding'>> = {
  id: 'finding',
  head: 'Main finding',
  from: 'md',
  cell: ({ main_finding }) => <MainFindingText finding={main_finding} />,
};

export const AT_COLUMN: Column<Pick<AssessmentRow, 'at'>> = {
  id: 'at',
  head: 'When',
  width: 'clamp(70px, 11.8vw, 120px)',
  align: 'right',
  cell: ({ at }) => <RelativeTime at={at} />,
};

/** A number from 0 to 100 with a small bar in the colour of its verdict. */
function Score({ value, verdict }: { value: number; verdict: Verdict }) {
  return (
    <span className={styles.score}>
      <span className={styles.bar} aria-hidden>
        <span style={{ width: `${value}%`, background: VERDICTS[verdict].fill }} />
      </span>
      <span className={styles.value}>{value}</span>
    </span>
  );
}
