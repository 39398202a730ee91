/** The overview: what happened in the period, why, and whether quota and intelligence are in order. */
import { Button, Group } from '@mantine/core';
import { Link } from 'wouter';
import type { Overview } from '../../../src/contract/dashboard-account.ts';
import { LIVE_MS, useGet, withQuery } from '../api.ts';
import { PERIODS, useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IndexingNotice } from '../ui/indexing-notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { PeriodName } from '../ui/period-name.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { signupsOf } from '../ui/verdicts.ts';
import { shownError } from '../ui/waiting.ts';
import { FirstRun, useVisibility } from './overview-first-run.tsx';
import { HealthCards } from './overview-health-cards.tsx';
import { ObservedNote } from './overview-observed-note.tsx';
import styles from './overview-page.module.css';
import { RecentTable } from './overview-recent-table.tsx';
import { TopFindings } from './overview-top-findings.tsx';
import { VerdictStats } from './overview-verdict-stats.tsx';
import { VerdictsChart } from './overview-verdicts-chart.tsx';

export function OverviewPage() {
  const { account, mode, period, api } = useScope();
  const [steps, setSteps] = useVisibility(account.id);
  const overview = useGet<Overview>(withQuery(api('overview'), { mode, period }), {
    live: LIVE_MS,
  });
  const { data, refetch } = overview;
  const error = shownError(overview);
  return (
    <>
      <PageHeader title="Overview">
        {mode === 'test' ? 'Sandbox signups' : 'Live signups'} of {account.name} in the{' '}
        <PeriodName words={PERIODS[period]} />.
      </PageHeader>
      <IndexingNotice indexing={data?.indexing} />
      <div className={styles.firstRun}>
        <FirstRun hidden={steps !== 'shown'} onHide={() => setSteps('hidden')} />
      </div>
      {data === undefined && error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data?.latest === null ? (
        <NothingYet overview={data} onShowSteps={steps === 'hidden' ? () => setSteps('shown') : undefined} />
      ) : (
        <Numbers overview={data} />
      )}
    </>
  );
}

function Numbers({ overview }: { overview: Overview | undefined }) {
  const { period } = useScope();
  const quietSince = overview && signupsOf(overview.totals) === 0 ? overview.latest : null;
  return (
    <>
      <VerdictStats overview={overview} />
      {overview && <ObservedNote overview={overview} />}
      <Card title="Verdicts over time">
        {quietSince !== null && overview?.indexing ? (
          <EmptyState title="No signup of this period is indexed yet">
            Signups appear here once they are indexed.
          </EmptyState>
        ) : quietSince === null ? (
          <VerdictsChart overview={overview} period={period} />
        ) : (
          <Quiet since={quietSince} />
        )}
      </Card>
      <div className={styles.columns}>
        <Card title="What stopped signups" note="by main finding" flush>
          <TopFindings overview={overview} />
        </Card>
        <HealthCards overview={overview} />
      </div>
      <Card title="Latest challenged and blocked" flush>
        <RecentTable rows={overview?.recent} />
      </Card>
    </>
  );
}

/** Words instead of an empty chart. */
function Quiet({ since }: { since: string }) {
  const { page, period } = useScope();
  return (
    <EmptyState
      title={`No signup in the last ${PERIODS[period]}`}
      action={
        <Button component={Link} href={page('assessments', { period: undefined })} variant="default">
          Show all in Signups
        </Button>
      }
    >
      The newest one arrived <RelativeTime at={since} />.
    </EmptyState>
  );
}

function NothingYet({
  overview,
  onShowSteps,
}: {
  overview: Overview;
  onShowSteps: (() => void) | undefined;
}) {
  const { mode, page } = useScope();
  const other = mode === 'live' ? 'test' : 'live';
  return (
    <>
      <Card>
        <EmptyState
          title={mode === 'live' ? 'No live signups yet' : 'No sandbox signups yet'}
          action={
            <Group gap="xs" justify="center">
              {onShowSteps && <Button onClick={onShowSteps}>Show the first steps</Button>}
              <Button
                component={Link}
                href={page('overview', { mode: other === 'test' ? 'test' : undefined })}
                variant="default"
              >
                {other === 'test' ? 'Show sandbox signups' : 'Show live signups'}
              </Button>
            </Group>
          }
        >
          {mode === 'live'
            ? 'They appear here as soon as a live key checks one.'
            : 'They appear here as soon as a sandbox key checks one.'}
        </EmptyState>
      </Card>
      <div className={styles.below}>
        <HealthCards overview={overview} />
      </div>
    </>
  );
}
