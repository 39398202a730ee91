/** Feedback: the mistakes that people reported, and what they say of each reason. */
import { Button } from '@mantine/core';
import type { FeedbackPage as Page } from '../../../../src/contract/dashboard-assessments.ts';
import { usePages } from '../../api.ts';
import { PERIODS, useScope } from '../../scope.ts';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { StatCard, StatRow } from '../../ui/layout/stat-card.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { ErrorState } from '../../ui/state/error-state.tsx';
import { IndexingNotice } from '../../ui/state/indexing-notice.tsx';
import { ProblemNote } from '../../ui/state/problem-note.tsx';
import { shownError } from '../../ui/state/waiting.ts';
import { grouped } from '../../ui/text/format.ts';
import { PeriodName } from '../../ui/text/period-name.tsx';
import styles from './feedback.module.css';
import { MarksTable } from './marks-table.tsx';
import { ReportedWrongTable } from './reported-wrong-table.tsx';

export function FeedbackPage() {
  const { api, page, mode, period } = useScope();
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
  const marks = pages?.flatMap(({ rows }) => rows);
  const { false_positives: stopped, false_negatives: cameIn, confirmed } = first?.totals ?? {};
  return (
    <>
      <PageHeader title="Feedback">
        What people reported in the <PeriodName words={PERIODS[period]} />, here or through the API, and what
        it says about each reason.
      </PageHeader>
      <IndexingNotice indexing={first?.indexing} />
      <StatRow>
        <StatCard
          label="Good customers stopped"
          value={stopped && grouped(stopped)}
          note="reported as false_positive"
          href={page('assessments', { period, feedback: 'false_positive' })}
        />
        <StatCard
          label="Fraud let in"
          value={cameIn && grouped(cameIn)}
          note="reported as false_negative"
          href={page('assessments', { period, feedback: 'false_negative' })}
        />
        <StatCard
          label="Fraud confirmed"
          value={confirmed && grouped(confirmed)}
          note="stopped, and it was right"
          href={page('assessments', { feedback: 'confirmed_fraud', period })}
        />
      </StatRow>
      <Card title="Reported mistakes" note="newest first" flush>
        <MarksTable
          rows={marks}
          empty={
            <EmptyState title="Nobody reported a mistake in this period">
              Open an assessment and press “Report a mistake”, or send one to <code>POST /v1/feedback</code>.
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
      <Card
        title="Reported wrong, by reason"
        note="of the signups that were challenged or blocked with it"
        flush
      >
        <ReportedWrongTable rows={first?.reasons} />
        <p className={styles.caveat}>
          Not every good customer who is stopped gets reported, so the true share can be higher. Precision
          counts labelled signups only, from 20 labels on: it is too low where mistakes are reported more
          often than fraud is confirmed.
        </p>
      </Card>
    </>
  );
}
