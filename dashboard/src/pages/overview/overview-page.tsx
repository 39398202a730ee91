/** The overview: what happened in the period, why, and whether quota and intelligence are in order. */
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { Overview } from '../../../../src/contract/dashboard/account.ts';
import { LIVE_MS, useGet, withQuery } from '../../api.ts';
import { PERIODS, useScope } from '../../scope.ts';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { ErrorState } from '../../ui/state/error-state.tsx';
import { PeriodName } from '../../ui/text/period-name.tsx';
import { RelativeTime } from '../../ui/text/relative-time.tsx';
import { FirstRun } from './first-run.tsx';
import { HealthCards } from './health-cards.tsx';
import styles from './overview.module.css';
import { RecentTable } from './recent-table.tsx';
import { TopReasons } from './top-reasons.tsx';
import { totalOf, VerdictStats } from './verdict-stats.tsx';
import { VerdictsChart } from './verdicts-chart.tsx';

export function OverviewPage() {
  const { account, mode, period, api } = useScope();
  const { data, error, refetch } = useGet<Overview>(withQuery(api('overview'), { mode, period }), {
    live: LIVE_MS,
  });
  const header = (
    <PageHeader title="Overview">
      {mode === 'test' ? 'Sandbox signups' : 'Live signups'} of {account.name} in the{' '}
      <PeriodName words={PERIODS[period]} />.
    </PageHeader>
  );
  if (data === undefined && error !== null)
    return (
      <>
        {header}
        <ErrorState error={error} onRetry={() => void refetch()} />
      </>
    );
  if (data !== undefined && data.latest === null)
    return (
      <>
        {header}
        <Card>
          <FirstRun />
        </Card>
        <div className={styles.below}>
          <HealthCards overview={data} />
        </div>
      </>
    );
  return (
    <>
      {header}
      <VerdictStats overview={data} />
      <Card title="Verdicts over time">
        {data !== undefined && data.latest !== null && totalOf(data.totals) === 0 ? (
          <Quiet latest={data.latest} />
        ) : (
          <VerdictsChart overview={data} period={period} />
        )}
      </Card>
      <div className={styles.columns}>
        <Card title="Top reasons" note="how often, and the mean weight of the finding" flush>
          <TopReasons overview={data} />
        </Card>
        <HealthCards overview={data} />
      </div>
      <Card title="Latest challenged and blocked" flush>
        <RecentTable rows={data?.recent} />
      </Card>
    </>
  );
}

/** Instead of an empty chart. */
function Quiet({ latest }: { latest: string }) {
  const { page, period } = useScope();
  return (
    <EmptyState
      title={`No signup in the last ${PERIODS[period]}`}
      action={
        <Button component={Link} href={page('assessments', { period: undefined })} variant="default">
          Show all in the log
        </Button>
      }
    >
      The newest one came <RelativeTime at={latest} />.
    </EmptyState>
  );
}
