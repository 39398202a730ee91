/** Usage and plan: the month's use so far, its projection, and what the plan allows. */
import { Button, Skeleton } from '@mantine/core';
import { Link } from 'wouter';
import type { UsagePage as Usage } from '../../../src/contract/dashboard-account.ts';
import { LIVE_MS, useGet } from '../api.ts';
import { linkTo } from '../pages.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { QuotaBar } from '../ui/chart-quota-bar.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Fact } from '../ui/fact.tsx';
import { capitalized, grouped, money, percent, pluralize } from '../ui/format.ts';
import { IndexingNotice } from '../ui/indexing-notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { StatCard, StatRow } from '../ui/stat-card.tsx';
import { useTimes } from '../ui/use-times.ts';
import { shownError } from '../ui/waiting.ts';
import { DaysChart } from './usage-days-chart.tsx';
import styles from './usage-page.module.css';

export function UsagePage() {
  const { account, api, page } = useScope();
  const times = useTimes();
  const query = useGet<Usage>(api('usage'), { live: 2 * LIVE_MS });
  const { data: usage, refetch } = query;
  const error = shownError(query);
  const header = (
    <PageHeader title="Usage and plan">
      Live signups of {account.name} are counted per calendar month (UTC). Sandbox requests are free.
    </PageHeader>
  );
  if (usage === undefined && error !== null)
    return (
      <>
        {header}
        <ErrorState error={error} onRetry={() => void refetch()} />
      </>
    );
  return (
    <>
      {header}
      <IndexingNotice indexing={usage?.indexing} />
      <StatRow>
        <StatCard
          label="Used this month"
          value={usage && grouped(usage.used)}
          note={usage && `${percent(usage.used, usage.limit)} of ${grouped(usage.limit)}`}
          href={usage && page('assessments', monthOf(usage))}
        />
        <StatCard
          label="Projected"
          value={usage && grouped(usage.projected)}
          note={usage && (usage.projected > usage.limit ? 'above the limit' : 'within the limit')}
        />
        <StatCard
          label="Overage so far"
          value={usage && money(usage.overage_cost)}
          note={
            usage &&
            (usage.overage
              ? `${money(usage.projected_cost)} projected`
              : 'off: requests above the limit are refused')
          }
        />
        <StatCard
          label="Resets"
          value={usage && <RelativeTime at={usage.reset_at} />}
          note={usage && times.exact(usage.reset_at)}
        />
      </StatRow>
      <Card title="Quota" note="solid: used, hatched: projected, line: limit">
        {usage === undefined ? <Skeleton height={16} /> : <QuotaBar {...usage} />}
      </Card>
      <Card
        title="By day"
        note={`of the UTC month, midnight to midnight in ${times.zone}; sandbox is violet`}
      >
        <DaysChart days={usage?.days} />
        {usage?.indexing === null && <Unlisted usage={usage} />}
      </Card>
      <Card title="Plan">
        {usage === undefined ? <Skeleton height={120} /> : <PlanFacts usage={usage} />}
      </Card>
    </>
  );
}

/** The filter for the signups of the billed month. */
function monthOf({ period_start: from, reset_at: to }: Usage) {
  return { from, to, mode: undefined, period: undefined };
}

/** Says how many signups are billed and not in the list, or the other way round. */
function Unlisted({ usage: { used, days } }: { usage: Usage }) {
  const listed = days.reduce((sum, { live }) => sum + live, 0);
  if (used === listed) return null;
  return (
    <p className="gh-dim">
      {used > listed
        ? `${pluralize(used - listed, 'billed signup')} of this month can no longer be listed, because the stored data was deleted.`
        : `${pluralize(listed - used, 'signup')} of this month cost nothing.`}
    </p>
  );
}

/** Shows what the plan allows and what happens above it. */
function PlanFacts({ usage }: { usage: Usage }) {
  const { operator } = useScope();
  const { plan, limit, requests_per_second, overage, overage_rate_per_1k } = usage;
  return (
    <>
      <dl className={styles.facts}>
        <Fact name="Plan">{capitalized(plan)}</Fact>
        <Fact name="Signups a month">{grouped(limit)}</Fact>
        <Fact name="Requests a second">{grouped(requests_per_second)}, three times as many in bursts</Fact>
        <Fact name="Above the limit">
          {overage
            ? `answered, at ${money(overage_rate_per_1k)} per 1,000`
            : 'refused with quota_exceeded until the month ends'}
        </Fact>
      </dl>
      {operator ? (
        <Button component={Link} href={linkTo('/operator')} variant="default">
          Change plan
        </Button>
      ) : (
        <p className="gh-dim">The operator of this installation changes the plan.</p>
      )}
    </>
  );
}
