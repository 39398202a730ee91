/** Feedback: the mistakes that people reported, and what they say about each main finding. */
import { Button } from '@mantine/core';
import type { Label, FeedbackPage as Page } from '../../../src/contract/dashboard-assessments.ts';
import { usePages } from '../api.ts';
import { PERIODS, useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { grouped } from '../ui/format.ts';
import { IndexingNotice } from '../ui/indexing-notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { PeriodName } from '../ui/period-name.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { StatCard, StatRow } from '../ui/stat-card.tsx';
import { shownError } from '../ui/waiting.ts';
import { MarksTable } from './feedback-marks-table.tsx';
import styles from './feedback-page.module.css';
import { ReportedWrongTable } from './feedback-reported-wrong-table.tsx';
import { Requests } from './feedback-requests.tsx';

export function FeedbackPage() {
  const { api, mode, period } = useScope();
  const feedback = usePages<Page>(api('feedback'), { mode, period });
  const pages = feedback.data?.pages;
  const first = pages?.[0];
  const error = shownError(feedback);
  if (first === undefined && error !== null)
    return (
      <>
        <PageHeader title="Feedback" />
        <ErrorState error={error} onRetry={() => void feedback.refetch()} />
      </>
    );
  return (
    <>
      <PageHeader title="Feedback">
        Mistakes that people reported in the <PeriodName words={PERIODS[period]} />, here or through the API,
        and how often each main finding was wrong.
      </PageHeader>
      <IndexingNotice indexing={first?.indexing} />
      <Requests />
      <Totals totals={first?.totals} />
      <Card title="Reported mistakes" note="newest first" flush>
        <MarksTable
          rows={pages?.flatMap(({ rows }) => rows)}
          empty={
            <EmptyState title="Nobody reported a mistake in this period">
              Open a signup and press “Report a mistake”, or send one to <code>POST /v1/feedback</code>.
            </EmptyState>
          }
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
      <ByFinding findings={first?.findings} />
    </>
  );
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
