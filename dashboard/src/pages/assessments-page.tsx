/** Signups: the history by filter and page. The open signup is beside it and has its own URL. */
import { Button } from '@mantine/core';
import { memo, useEffect, useMemo, useRef } from 'react';
import { Link, useParams, useSearch } from 'wouter';
import type { NamedSignup } from '../../../src/contract/dashboard-assessments.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IndexingNotice } from '../ui/indexing-notice.tsx';
import { later } from '../ui/later.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { historyColumns } from './assessments-columns.tsx';
import { useSummary } from './assessments-counts.ts';
import { type UsedFilter, useLogFilter } from './assessments-filter.ts';
import { FilterBar } from './assessments-filter-bar.tsx';
import { Groups } from './assessments-groups.tsx';
import { Histogram } from './assessments-histogram.tsx';
import { type SignupHistory, useHistory } from './assessments-history.ts';
import styles from './assessments-page.module.css';
import { type SignupSelection, useSignupSelection } from './assessments-selection.ts';
import { Total } from './assessments-total.tsx';

// The list is there before its code.
const AssessmentPanel = later(async () => (await import('./assessment-panel.tsx')).AssessmentPanel);
const CustomerBar = later(async () => (await import('./assessments-customer-bar.tsx')).CustomerBar);

const SelectionBar = later(async () => (await import('./assessments-selection-bar.tsx')).SelectionBar);

export function AssessmentsPage() {
  return <List />;
}

/** Everything that does not change while a person goes from one open signup to the next. */
const List = memo(function List() {
  const used = useLogFilter();
  const history = useHistory(used.filter);
  const summary = useSummary(used.filter);
  const selection = useSignupSelection(used.filter);
  const rows = history.rows ?? NO_ROWS;
  return (
    <>
      <PageHeader title="Signups">
        <Total summary={summary} onFilter={used.set} />
      </PageHeader>
      <FilterBar used={used} history={history} rows={rows} />
      {used.filter.mailbox !== undefined && used.filter.mode === 'live' && (
        <CustomerBar mailbox={used.filter.mailbox} rows={rows} />
      )}
      {summary.data !== undefined && summary.data.total > 0 && (
        <Histogram summary={summary.data} from={used.chosen.from} to={used.chosen.to} onFilter={used.set} />
      )}
      <Groups filter={used.filter} onFilter={used.set} />
      <IndexingNotice indexing={history.indexing} />
      <Card flush>
        {history.error !== null && history.rows === undefined ? (
          <ErrorState error={history.error} onRetry={history.retry} />
        ) : (
          <Rows used={used} history={history} selection={selection} />
        )}
      </Card>
      {rows.length > 0 && <Foot history={history} />}
      {selection.rows.size > 0 && <SelectionBar selection={selection} />}
      <OpenSignup rows={rows} />
    </>
  );
});

const NO_ROWS: readonly NamedSignup[] = [];

interface RowsProps {
  readonly used: UsedFilter;
  readonly history: SignupHistory;
  readonly selection: SignupSelection;
}

function Rows({ used, history, selection }: RowsProps) {
  const { request_id: open } = useParams();
  const { hrefOf } = useAddresses();
  const columns = useMemo(() => historyColumns(used.set), [used.set]);
  return (
    <DataTable
      label="Signups"
      columns={columns}
      rows={history.rows}
      rowKey={keyOf}
      href={({ request_id }) => hrefOf(`/${request_id}`)}
      selected={open}
      selection={selection.inTable}
      quiet={open !== undefined}
      skeletons={12}
      windowed
      empty={history.indexing === null ? <NothingFound used={used} /> : <NothingIndexed />}
    />
  );
}

/** The open signup, beside the list. */
function OpenSignup({ rows }: { rows: readonly NamedSignup[] }) {
  const { request_id: open } = useParams();
  const { hrefOf } = useAddresses();
  if (open === undefined) return null;
  return (
    <AssessmentPanel requestId={open} rows={rows} hrefOf={(id) => hrefOf(`/${id}`)} closed={hrefOf('')} />
  );
}

/** Addresses below this page that keep its filter. */
function useAddresses() {
  const { page } = useScope();
  const search = useSearch();
  const [base] = page('assessments').split('?');
  return { hrefOf: (path: string) => (search === '' ? `${base}${path}` : `${base}${path}?${search}`) };
}

const keyOf = ({ request_id }: NamedSignup) => request_id;

/** A button that clears the filter, or the first steps. */
function NothingFound({ used }: { used: UsedFilter }) {
  const { mode, page } = useScope();
  if (Object.keys(used.chosen).length > 0)
    return (
      <EmptyState
        title="No signup matches this filter"
        action={
          <Button variant="default" onClick={used.clear}>
            Clear the filter
          </Button>
        }
      >
        {mode === 'live' ? 'Only live signups are searched.' : 'Only sandbox signups are searched.'} You can
        change that in the top bar.
      </EmptyState>
    );
  return (
    <EmptyState
      title={mode === 'live' ? 'No live signups yet' : 'No sandbox signups yet'}
      action={
        <Button component={Link} href={page('today')}>
          Show the first steps
        </Button>
      }
    >
      A signup appears here within a second after your server sends it.
    </EmptyState>
  );
}

function NothingIndexed() {
  return (
    <EmptyState title="Nothing found so far">
      Signups that are not indexed yet may match. They appear here once they are indexed.
    </EmptyState>
  );
}

/** Loads older rows when it comes near the window; the button does the same for people who do not scroll. */
function Foot({ history }: { history: SignupHistory }) {
  const foot = useRef<HTMLDivElement>(null);
  const latest = useRef(history);
  latest.current = history;
  const waits = history.more && !history.loading && !history.searching && history.error === null;
  useEffect(() => {
    if (!waits || foot.current === null) return;
    const observer = new IntersectionObserver(
      // Several entries may come at once: the last one says how it is now.
      (entries) => entries.at(-1)?.isIntersecting && latest.current.loadMore(),
      { rootMargin: '600px' },
    );
    observer.observe(foot.current);
    return () => observer.disconnect();
  }, [waits]);
  return (
    <div ref={foot} className={styles.foot}>
      {history.error !== null && <ProblemNote error={history.error} />}
      {history.more ? (
        <Button
          variant="default"
          loading={history.loading || history.searching}
          onClick={history.error === null ? history.loadMore : history.retry}
        >
          {history.error === null ? 'Load older' : 'Try again'}
        </Button>
      ) : (
        'End of the list.'
      )}
    </div>
  );
}
