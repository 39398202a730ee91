/** Today, the first page: what happened, how sure that is, what needs a person, and what changed. */
import { Button, Group, Skeleton } from '@mantine/core';
import { Link } from 'wouter';
import type { Today, TodayChanges, TodayNeeds } from '../../../src/contract/dashboard-today.ts';
import { LIVE_MS, useGet, withQuery } from '../api.ts';
import { PERIODS, useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IndexingNotice } from '../ui/indexing-notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { useTimes } from '../ui/use-times.ts';
import { signupsOf } from '../ui/verdicts.ts';
import { shownError } from '../ui/waiting.ts';
import { AnswersChart } from './today-answers-chart.tsx';
import { Changes } from './today-changes.tsx';
import { FirstRun, useVisibility } from './today-first-run.tsx';
import { Needs } from './today-needs.tsx';
import styles from './today-page.module.css';
import { Parts } from './today-parts.tsx';
import { sentenceOf, sureOf } from './today-sentence.ts';
import { Status } from './today-status.tsx';

/** Intervals at which slower questions are asked again. */
const NEEDS_MS = 30_000;
const CHANGES_MS = 300_000;

export function TodayPage() {
  const { account, mode, period, api } = useScope();
  const [steps, setSteps] = useVisibility(account.id);
  const today = useGet<Today>(withQuery(api('today'), { mode, period }), { live: LIVE_MS });
  const { data, refetch } = today;
  const error = shownError(today);
  return (
    <>
      <PageHeader title="Today" />
      <IndexingNotice indexing={data?.indexing} />
      <div className={styles.firstRun}>
        <FirstRun hidden={steps !== 'shown'} onHide={() => setSteps('hidden')} />
      </div>
      {data === undefined && error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data?.latest === null ? (
        <NothingYet today={data} onShowSteps={steps === 'hidden' ? () => setSteps('shown') : undefined} />
      ) : (
        <Day today={data} />
      )}
    </>
  );
}

function Day({ today }: { today: Today | undefined }) {
  const { mode, period, api } = useScope();
  const isLive = mode === 'live';
  const query = { mode, period };
  const needs = useGet<TodayNeeds>(isLive ? withQuery(api('today/needs'), { period }) : null, {
    live: NEEDS_MS,
  });
  const changes = useGet<TodayChanges>(withQuery(api('today/changes'), query), { live: CHANGES_MS });
  const quietSince = today && signupsOf(today.totals) === 0 ? today.latest : null;
  return (
    <>
      <Sentence today={today} />
      <Needs found={needs.data} />
      <Changes found={changes.data} />
      <Card title="Answers over time">
        {quietSince !== null && today?.indexing ? (
          <EmptyState title="No signup of this period is indexed yet">
            Signups appear here once they are indexed.
          </EmptyState>
        ) : quietSince === null ? (
          <AnswersChart today={today} period={period} marks={needs.data?.marks} />
        ) : (
          <Quiet since={quietSince} />
        )}
      </Card>
      {today && <Status today={today} />}
    </>
  );
}

function Sentence({ today }: { today: Today | undefined }) {
  const times = useTimes();
  if (today === undefined)
    return (
      <div className={styles.sentence}>
        <Skeleton height={24} width="80%" my={4} />
      </div>
    );
  const sure = sureOf(today);
  const { passed, failed } = today.challenges;
  return (
    <>
      <p className={styles.sentence} data-testid="today-sentence">
        <Parts parts={sentenceOf(today, times)} />
      </p>
      {sure !== null && (
        <p className={styles.sure} data-testid="today-sure">
          <Parts parts={sure} />
        </p>
      )}
      {passed + failed > 0 && (
        <p className={styles.sure}>
          Challenges of this period: {passed} passed, {failed} failed.
        </p>
      )}
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

function NothingYet({ today, onShowSteps }: { today: Today; onShowSteps: (() => void) | undefined }) {
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
                href={page('today', { mode: other === 'test' ? 'test' : undefined })}
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
      <Status today={today} />
    </>
  );
}
