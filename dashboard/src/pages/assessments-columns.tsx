/** The columns of the history by window width; values that many rows share are filter buttons. */
import type { ReactNode } from 'react';
import type { NamedSignup } from '../../../src/contract/dashboard-assessments.ts';
import { labelOfDetector } from '../../../src/contract/detectors.ts';
import type { Column } from '../ui/data-table.tsx';
import { DomainText } from '../ui/domain-text.tsx';
import { Hint } from '../ui/hint.tsx';
import { IconFilter, IconMessageReport } from '../ui/icons.ts';
import { MainFindingBelow, MainFindingText } from '../ui/main-finding.tsx';
import { AT_COLUMN, SCORE_COLUMN, VERDICT_HEAD, VERDICT_WIDTH } from '../ui/signup-columns.tsx';
import { VerdictBadge } from '../ui/verdict-badge.tsx';
import { FEEDBACK_WORDS, type FilterChanges } from './assessments-filter.ts';
import styles from './assessments-page.module.css';

type FilterBy = (changes: FilterChanges) => void;

export function historyColumns(filterBy: FilterBy): Column<NamedSignup>[] {
  return [...verdictColumns(filterBy), ...signupColumns(filterBy), ...requestColumns(filterBy)];
}

function verdictColumns(filterBy: FilterBy): Column<NamedSignup>[] {
  return [
    {
      id: 'verdict',
      head: VERDICT_HEAD,
      width: VERDICT_WIDTH,
      cell: ({ verdict, shadow, email }) => (
        <>
          <VerdictBadge verdict={verdict} observed={shadow} />
          <span className="gh-hidden">, {email}</span>
        </>
      ),
    },
    { ...SCORE_COLUMN, width: 'clamp(46px, 10vw, 60px)', cell: ({ score }) => <strong>{score}</strong> },
    {
      id: 'finding',
      head: 'Main finding',
      from: 'md',
      width: 'clamp(190px, 15vw, 340px)',
      cell: ({ main_finding: main }) =>
        main !== null && (
          <Filterable
            by={`main finding ${labelOfDetector(main.detector)}`}
            onFilter={() => filterBy({ finding: main.detector })}
          >
            <MainFindingText finding={main} />
          </Filterable>
        ),
    },
  ];
}

function signupColumns(filterBy: FilterBy): Column<NamedSignup>[] {
  return [
    {
      id: 'email',
      head: 'Email',
      cell: ({ email, domain, main_finding: main }) => (
        <>
          <Filterable by={`domain ${domain}`} onFilter={() => filterBy({ domain })}>
            <span title={email}>
              <DomainText text={email} />
            </span>
          </Filterable>
          <MainFindingBelow finding={main} />
        </>
      ),
    },
    {
      id: 'ip',
      head: 'IP',
      from: 'lg',
      width: 128,
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
      from: 'lg',
      width: '13%',
      cell: (row) => <Network row={row} filterBy={filterBy} />,
    },
  ];
}

function requestColumns(filterBy: FilterBy): Column<NamedSignup>[] {
  return [
    {
      id: 'key',
      head: 'Key',
      from: 'lg',
      // A name of usual length is whole from 1440 px on.
      width: 'clamp(92px, 28vw - 268px, 160px)',
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
      // Its icon and the padding of a cell.
      width: 48,
      from: 'sm',
      cell: ({ feedback }) =>
        feedback !== null && <Reported words={`Reported: ${FEEDBACK_WORDS[feedback]}`} />,
    },
    AT_COLUMN,
  ];
}

function Network({ row, filterBy }: { row: NamedSignup; filterBy: FilterBy }) {
  const { country_code, asn, as_name } = row;
  return (
    <span className={styles.network}>
      {asn > 0 && (
        <Filterable
          by={`network ${`AS${asn} ${as_name}`.trim()}`}
          onFilter={() => filterBy({ asn: `AS${asn}` })}
        >
          <span className="gh-dim" title={`AS${asn} ${as_name}`.trim()}>
            {as_name === '' ? `AS${asn}` : as_name}
          </span>
        </Filterable>
      )}
      {country_code !== '' && (
        <Filterable by={`country ${country_code}`} onFilter={() => filterBy({ country: country_code })}>
          {country_code}
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
