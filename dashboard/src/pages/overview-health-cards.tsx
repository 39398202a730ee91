/** Shows quota, latency and the freshness of intelligence: whether anything needs attention. */
import { Skeleton } from '@mantine/core';
import { Link } from 'wouter';
import type { Overview } from '../../../src/contract/dashboard-account.ts';
import { linkTo } from '../pages.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { QuotaBar } from '../ui/chart-quota-bar.tsx';
import { Fact } from '../ui/fact.tsx';
import { duration, grouped, milliseconds, percent } from '../ui/format.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import styles from './overview-page.module.css';

export function HealthCards({ overview }: { overview: Overview | undefined }) {
  return (
    <div className={styles.health}>
      <Card title="Quota this month">
        {overview ? <Quota quota={overview.quota} /> : <Skeleton height={68} />}
      </Card>
      <Card title="Latency" note="of this period, in the service">
        {overview ? <Latency latency={overview.latency} /> : <Skeleton height={44} />}
      </Card>
      <Card title="Intelligence">
        {overview ? <Freshness intelligence={overview.intelligence} /> : <Skeleton height={66} />}
      </Card>
    </div>
  );
}

function Quota({ quota }: { quota: Overview['quota'] }) {
  const { page } = useScope();
  const { used, limit, projected, reset_at } = quota;
  return (
    <>
      <p className={styles.big}>
        {percent(used, limit)}
        <span>
          {grouped(used)} of {grouped(limit)}
        </span>
      </p>
      <QuotaBar {...quota} />
      <p className={styles.small}>
        <Link href={page('usage')}>{grouped(projected)} projected</Link>
        {projected > limit && ', above the limit'} · resets <RelativeTime at={reset_at} />
      </p>
    </>
  );
}

function Latency({ latency }: { latency: Overview['latency'] }) {
  const of = (value: number | null) => (value === null ? '–' : milliseconds(value));
  return (
    <dl className={styles.facts}>
      <Fact name="Median (p50)">{of(latency.p50)}</Fact>
      <Fact name="p95">{of(latency.p95)}</Fact>
    </dl>
  );
}

function Freshness({ intelligence }: { intelligence: Overview['intelligence'] }) {
  const { sources, stale, refused, oldest_seconds } = intelligence;
  const troubled = stale + refused;
  return (
    <dl className={styles.facts}>
      <Fact name="Sources">
        <Link href={linkTo('/intelligence')}>{grouped(sources)}</Link>
      </Fact>
      <Fact name="Stale or rejected">
        <span style={troubled > 0 ? { color: 'var(--gh-challenge)' } : undefined}>
          {troubled === 0 ? 'none' : `${stale} stale, ${refused} rejected`}
        </span>
      </Fact>
      <Fact name="Oldest">
        {oldest_seconds === null ? 'bundled only' : `${duration(oldest_seconds)} old`}
      </Fact>
    </dl>
  );
}
