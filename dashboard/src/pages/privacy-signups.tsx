/** The signups of a person who was found: how many by each of what was searched for, with links, and the newest. No address is in a link. */
import { Link } from 'wouter';
import type {
  AssessmentFilter,
  AssessmentSearchResult,
  NamedSignup,
} from '../../../src/contract/dashboard-assessments.ts';
import type { SignupSummary } from '../../../src/contract/dashboard-signup-counts.ts';
import { formatFilterValues } from '../../../src/contract/filter-values.ts';
import { useGet, withQuery } from '../api.ts';
import { MODES, useScope } from '../scope.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { grouped } from '../ui/format.ts';
import {
  AT_COLUMN,
  EMAIL_COLUMN,
  FINDING_COLUMN,
  SCORE_COLUMN,
  VERDICT_COLUMN,
} from '../ui/signup-columns.tsx';
import styles from './privacy-page.module.css';
import type { PersonBody } from './privacy-search.tsx';

const MAX_ROWS = '10';

interface Search {
  readonly words: string;
  readonly filter: AssessmentFilter;
}

/** @param mailbox value of the filter for their mailbox */
export function PersonSignups({ person, mailbox }: { person: PersonBody; mailbox: string }) {
  const { api, page } = useScope();
  const { ip, session_id: session } = person;
  const searches: Search[] = [{ words: 'By the mailbox', filter: { mailbox } }];
  if (ip !== '') searches.push({ words: 'By the IP', filter: { ip } });
  if (session !== '') {
    const session_id = formatFilterValues({ any: [session], not: [] });
    searches.push({ words: 'By the session', filter: { session_id } });
  }
  const { data } = useGet<AssessmentSearchResult>(
    withQuery(api('assessments'), { mailbox, limit: MAX_ROWS }),
  );
  return (
    <div className={styles.signups}>
      {searches.map((search) => (
        <FoundBy key={search.words} {...search} />
      ))}
      <DataTable
        label="Their newest signups"
        columns={COLUMNS}
        rows={data?.rows}
        rowKey={({ request_id }) => request_id}
        href={({ request_id, mode }) =>
          page(`assessments/${request_id}`, { mode: mode === 'test' ? mode : undefined })
        }
        skeletons={2}
        empty={<p className="gh-dim">None of these has the mailbox.</p>}
      />
    </div>
  );
}

function FoundBy({ words, filter }: Search) {
  return (
    <p>
      {words}:{' '}
      {MODES.map(({ value, label }, index) => (
        <span key={value}>
          {index > 0 && ', '}
          <Count filter={{ ...filter, mode: value }} word={label.toLowerCase()} />
        </span>
      ))}
    </p>
  );
}

function Count({ filter, word }: { filter: AssessmentFilter; word: string }) {
  const { api, page } = useScope();
  const total = useGet<SignupSummary>(withQuery(api('assessments/summary'), { ...filter })).data?.total;
  if (total === undefined) return `… ${word}`;
  if (total === 0) return `0 ${word}`;
  const query = { ...filter, mode: filter.mode === 'test' ? filter.mode : undefined, period: undefined };
  return (
    <Link href={page('assessments', query)}>
      {grouped(total)} {word}
    </Link>
  );
}

const COLUMNS: readonly Column<NamedSignup>[] = [
  VERDICT_COLUMN,
  SCORE_COLUMN,
  EMAIL_COLUMN,
  { ...FINDING_COLUMN, width: '30%' },
  AT_COLUMN,
];
