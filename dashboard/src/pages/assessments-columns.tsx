/** The columns of the history by window width; values that many rows share are filter buttons. */
import type { ReactNode } from 'react';
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';
import { REASONS } from '../../../src/contract/reasons.ts';
import type { Column } from '../ui/data-table.tsx';
import { Hint } from '../ui/hint.tsx';
import { IconFilter, IconMessageReport } from '../ui/icons.ts';
import { ReasonTag } from '../ui/reason-tag.tsx';
import { AT_COLUMN, SCORE_COLUMN } from '../ui/signup-columns.tsx';
import { VerdictBadge } from '../ui/verdict-badge.tsx';
import { FEEDBACK_WORDS, type FilterChanges } from './assessments-filter.ts';
import styles from './assessments-page.module.css';

const MAX_REASONS = 2;

type FilterBy = (changes: FilterChanges) => void;

export function historyColumns(filterBy: FilterBy): Column<AssessmentRow>[] {
  return [...verdictColumns(), ...signupColumns(filterBy), ...requestColumns(filterBy)];
}

function verdictColumns(): Column<AssessmentRow>[] {
  return [
    {
      id: 'verdict',
      head: 'Verdict',
      width: 124,
      cell: ({ verdict, shadow, email }) => (
        <>
          <VerdictBadge verdict={verdict} observed={shadow} />
          <span className="gh-hidden">, {email}</span>
        </>
      ),
    },
    SCORE_COLUMN,
  ];
}

function signupColumns(filterBy: FilterBy): Column<AssessmentRow>[] {
  return [
    {
      id: 'email',
      head: 'Email',
      cell: ({ email, domain }) => (
        <Filterable by={`domain ${domain}`} onFilter={() => filterBy({ domain })}>
          <span title={email}>{email}</span>
        </Filterable>
      ),
    },
    {
      id: 'reasons',
      head: 'Reasons',
      from: 'md',
      width: '27%',
      cell: ({ reasons }) => <Reasons codes={reasons} onFilter={(reason) => filterBy({ reason })} />,
    },
    {
      id: 'ip',
      head: 'IP',
      from: 'lg',
      width: 160,
      cell: ({ ip }) =>
        ip === null ? (
          <span className="gh-faint">none</span>
        ) : (
          <Filterable by={`IP ${ip}`} onFilter={() => filterBy({ ip })}>
            <span className="gh-mono" title={ip}>
              {ip}
            </span>
          </Filterable>
        ),
    },
    {
      id: 'network',
      head: 'Network',
      from: 'xl',
      width: 132,
      cell: (row) => <Network row={row} filterBy={filterBy} />,
    },
  ];
}

function requestColumns(filterBy: FilterBy): Column<AssessmentRow>[] {
  return [
    {
      id: 'key',
      head: 'Key',
      from: 'xl',
      width: 120,
      cell: ({ key_id, key_name }) => (
        <Filterable by={`key ${key_name}`} onFilter={() => filterBy({ key: key_id })}>
          <span className="gh-dim" title={key_name}>
            {key_name}
          </span>
        </Filterable>
      ),
    },
    {
      id: 'feedback',
      head: <span className="gh-hidden">Feedback</span>,
      width: 44,
      from: 'sm',
      cell: ({ feedback }) =>
        feedback !== null && <Reported words={`Reported: ${FEEDBACK_WORDS[feedback]}`} />,
    },
    AT_COLUMN,
  ];
}

function Network({ row, filterBy }: { row: AssessmentRow; filterBy: FilterBy }) {
  const { country_code, asn } = row;
  return (
    <span className={styles.network}>
      {country_code !== '' && (
        <Filterable by={`country ${country_code}`} onFilter={() => filterBy({ country: country_code })}>
          {country_code}
        </Filterable>
      )}
      {asn > 0 && (
        <Filterable by={`network AS${asn}`} onFilter={() => filterBy({ asn: `AS${asn}` })}>
          <span className="gh-dim">AS{asn}</span>
        </Filterable>
      )}
    </span>
  );
}

function Reported({ words }: { words: string }) {
  return (
    <Hint label={words}>
      <span className={styles.reported} role="img" aria-label={words}>
        <IconMessageReport size={16} aria-hidden />
      </span>
    </Hint>
  );
}

function Reasons({
  codes,
  onFilter,
}: {
  codes: AssessmentRow['reasons'];
  onFilter: (code: AssessmentRow['reasons'][number]) => void;
}) {
  const rest = codes.slice(MAX_REASONS);
  return (
    <span className={styles.reasons}>
      {codes.slice(0, MAX_REASONS).map((code) => (
        <Filterable key={code} by={`reason ${REASONS[code].label}`} onFilter={() => onFilter(code)}>
          <ReasonTag code={code} />
        </Filterable>
      ))}
      {rest.length > 0 && (
        <Hint label={rest.map((code) => REASONS[code].label).join(', ')}>
          <span className="gh-faint">
            +{rest.length}
            <span className="gh-hidden">: {rest.map((code) => REASONS[code].label).join(', ')}</span>
          </span>
        </Hint>
      )}
    </span>
  );
}

interface FilterableProps {
  /** The filter, for the button's name: `domain example.com`. */
  readonly by: string;
  readonly children: ReactNode;
  onFilter(): void;
}

/** A value with a button that filters the history by it. The button appears when the pointer is on the value. */
function Filterable({ by, children, onFilter }: FilterableProps) {
  return (
    <span className={styles.filterable}>
      <span className={styles.filterValue}>{children}</span>
      {/* Out of the tab order: the filter form does the same, and rows stay one stop each. */}
      <button
        type="button"
        tabIndex={-1}
        className={styles.filterButton}
        title={`Filter by ${by}`}
        aria-label={`Filter by ${by}`}
        onClick={onFilter}
      >
        <IconFilter size={13} aria-hidden />
      </button>
    </span>
  );
}
