/** Feedback: the mistakes that people reported, and how often each reason was right as far as that tells. */
import { Button } from '@mantine/core';
import type { FeedbackPage as Page } from '../../../../src/contract/dashboard/assessments.ts';
import { usePages } from '../../api.ts';
import { PERIODS, useScope } from '../../scope.ts';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { StatCard, StatRow } from '../../ui/layout/stat-card.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { ErrorState } from '../../ui/state/error-state.tsx';
import { ProblemNote } from '../../ui/state/problem-note.tsx';
import { grouped } from '../../ui/text/format.ts';
import styles from './feedback.module.css';
import { MarksTable } from './marks-table.tsx';
import { PrecisionTable } from './precision-table.tsx';

export function FeedbackPage() {
  const { api, mode, period } = useScope();
  const feedback = usePages<Page>(api('feedback'), { mode, period });
  const pages = feedback.data?.pages;
  const first = pages?.[0];
  if (first === undefined && feedback.error !== null)
    return (
      <>
        <PageHeader title="Feedback" />
        <ErrorState error={feedback.error} onRetry={() => void feedback.refetch()} />
      </>
    );
  const marks = pages?.flatMap(({ rows }) => rows);
  const { false_positives: stopped, false_negatives: cameIn } = first?.totals ?? {};
  return (
    <>
      <PageHeader title="Feedback">
        What people reported as wrong in the last {PERIODS[period]}, here or through the API, and what that
        says of each reason.
      </PageHeader>
      <StatRow>
        <StatCard
          label="False positives"
          value={stopped && grouped(stopped)}
          note="real customers, stopped"
        />
        <StatCard label="False negatives" value={cameIn && grouped(cameIn)} note="frauds that came in" />
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
        title="Precision by reason"
        note="of the challenged and blocked ones that somebody reported"
        flush
      >
        <PrecisionTable rows={first?.reasons} />
      </Card>
    </>
  );
}
