/** Mistakes: a queue of what people reported and asked for, by cause and with what would help; and how often each main finding was wrong. */
import { Button, Tabs } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Label } from '../../../src/contract/dashboard-assessments.ts';
import type { MistakeState, FeedbackPage as Page } from '../../../src/contract/dashboard-mistakes.ts';
import { usePages } from '../api.ts';
import { PERIODS, useScope, useSetQuery } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { FilterChips } from '../ui/filter-chips.tsx';
import { grouped } from '../ui/format.ts';
import { IndexingNotice } from '../ui/indexing-notice.tsx';
import { later } from '../ui/later.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { PeriodName } from '../ui/period-name.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { StatCard, StatRow } from '../ui/stat-card.tsx';
import { shownError } from '../ui/waiting.ts';
import { Causes } from './feedback-causes.tsx';
import { Closing } from './feedback-closing.tsx';
import styles from './feedback-page.module.css';
import { QueueTable } from './feedback-queue-table.tsx';
import { ReportedWrongTable } from './feedback-reported-wrong-table.tsx';
import { useMistakeSelection } from './feedback-selection.ts';

const TITLE = 'Mistakes';

const LabelsFromFile = later(async () => (await import('./feedback-labels.tsx')).LabelsFromFile);

export function FeedbackPage() {
  const { api, mode, period, canList } = useScope();
  const [isLabelling, setIsLabelling] = useState(false);
  const [search] = useSearchParams();
  const state: MistakeState = search.get('state') === 'done' ? 'done' : 'open';
  const cause = search.get('cause') ?? undefined;
  const feedback = usePages<Page>(api('feedback'), { mode, period, state, cause });
  const first = feedback.data?.pages[0];
  const error = shownError(feedback);
  if (first === undefined && error !== null)
    return (
      <>
        <PageHeader title={TITLE} />
        <ErrorState error={error} onRetry={() => void feedback.refetch()} />
      </>
    );
  return (
    <>
      <PageHeader
        title={TITLE}
        actions={
          canList && (
            <Button variant="default" onClick={() => setIsLabelling(true)}>
              Labels from a file…
            </Button>
          )
        }
      >
        What people reported and asked for in the <PeriodName words={PERIODS[period]} end="," /> here or
        through the API. Close what is dealt with: that changes no report.
      </PageHeader>
      {isLabelling && <LabelsFromFile onClose={() => setIsLabelling(false)} />}
      <IndexingNotice indexing={first?.indexing} />
      <Totals totals={first?.totals} />
      <Queue feedback={feedback} state={state} cause={cause} />
      <ByFinding findings={first?.findings} />
    </>
  );
}

interface QueueProps {
  readonly feedback: ReturnType<typeof usePages<Page>>;
  readonly state: MistakeState;
  /** Group whose mistakes alone are shown. */
  readonly cause: string | undefined;
}

function Queue({ feedback, state, cause }: QueueProps) {
  const { canList } = useScope();
  const setQuery = useSetQuery();
  const pages = feedback.data?.pages;
  const queue = pages?.[0]?.queue;
  const rows = pages?.flatMap((page) => page.queue.rows);
  const selection = useMistakeSelection(rows, `${state} ${cause}`);
  const group = queue?.groups.find((each) => each.cause === cause);
  return (
    <Tabs
      value={state}
      onChange={(value) => setQuery({ state: value === 'done' ? 'done' : undefined, cause: undefined })}
      keepMounted={false}
      mb="md"
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="open">Open{queue !== undefined && ` (${grouped(queue.open)})`}</Tabs.Tab>
        <Tabs.Tab value="done">Done{queue !== undefined && ` (${grouped(queue.done)})`}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value={state}>
        {state === 'open' && <Causes groups={queue?.groups} chosen={cause} />}
        {cause !== undefined && <CauseChip title={group?.title ?? 'no open one'} />}
        <Card
          title={state === 'open' ? 'Open' : 'Done'}
          note={
            queue?.reached == null ? (
              'newest first'
            ) : (
              <>
                newest first, those before <RelativeTime at={queue.reached} /> are not shown
              </>
            )
          }
          flush
        >
          <QueueTable
            rows={rows}
            empty={
              <EmptyState title={state === 'open' ? 'Nothing is open in this period' : 'Nothing was closed'}>
                {state === 'open' && (
                  <>
                    Open a signup and press “Report a mistake”, or send one to <code>POST /v1/feedback</code>.
                  </>
                )}
              </EmptyState>
            }
            selection={canList ? selection.inTable : undefined}
          />
          {feedback.hasNextPage && (
            <div className={styles.more}>
              <ProblemNote error={feedback.error} />
              <Button
                variant="default"
                loading={feedback.isFetchingNextPage}
                onClick={() => void feedback.fetchNextPage()}
              >
                Load older
              </Button>
            </div>
          )}
        </Card>
        {selection.rows.length > 0 && <Closing selection={selection} state={state} />}
      </Tabs.Panel>
    </Tabs>
  );
}

function CauseChip({ title }: { title: string }) {
  const setQuery = useSetQuery();
  const onRemove = () => setQuery({ cause: undefined });
  return <FilterChips chips={[{ id: 'cause', name: 'Cause', value: title, onRemove }]} onClear={onRemove} />;
}

function Totals({ totals }: { totals: Page['totals'] | undefined }) {
  const { page, period } = useScope();
  const { false_positives: stopped, false_negatives: letIn, confirmed } = totals ?? {};
  const rows = (feedback: Label) => page('assessments', { period, feedback });
  return (
    <StatRow>
      <StatCard
        label="Good customers stopped"
        value={stopped && grouped(stopped)}
        note="reported as false_positive"
        href={rows('false_positive')}
      />
      <StatCard
        label="Fraud let in"
        value={letIn && grouped(letIn)}
        note="reported as false_negative"
        href={rows('false_negative')}
      />
      <StatCard
        label="Fraud confirmed"
        value={confirmed && grouped(confirmed)}
        note="correctly stopped"
        href={rows('confirmed_fraud')}
      />
    </StatRow>
  );
}

function ByFinding({ findings }: { findings: Page['findings'] | undefined }) {
  return (
    <Card
      title="Reported wrong, by main finding"
      note="of the signups that were challenged or blocked for it, or would have been on keys that only observe"
      flush
    >
      <ReportedWrongTable rows={findings} />
      <p className={styles.caveat}>
        Not every good customer who is stopped gets reported, so the true share can be higher. Precision
        counts labelled signups only, from 20 labels on. It is too low if people report mistakes more often
        than they confirm fraud.
      </p>
    </Card>
  );
}
