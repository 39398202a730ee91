/** Shadow mode: what each key that only observes would have done, and one click to enforce. */
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { ShadowReport } from '../../../src/contract/dashboard-shadow.ts';
import { useGet, withQuery } from '../api.ts';
import { PERIODS, useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IndexingNotice } from '../ui/indexing-notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { PeriodName } from '../ui/period-name.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { shownError } from '../ui/waiting.ts';
import { keyName } from './key-name.ts';
import { ShadowKeyCard, ShadowKeySkeleton } from './shadow-key-card.tsx';

export function ShadowPage() {
  const { api, period } = useScope();
  const report = useGet<ShadowReport>(withQuery(api('shadow'), { period }));
  const { data } = report;
  const error = shownError(report);
  return (
    <>
      <PageHeader title="Shadow mode">
        Keys in shadow mode answer Allow, whatever the verdict is. This is what they would have answered in
        the <PeriodName words={PERIODS[period]} end="." />
      </PageHeader>
      <IndexingNotice indexing={data?.indexing} />
      {data?.counted_from && (
        <p className="gh-dim">
          There are too many signups to count all of them: those before{' '}
          <RelativeTime at={data.counted_from} /> are not counted.
        </p>
      )}
      {data === undefined && error !== null && (
        <ErrorState error={error} onRetry={() => void report.refetch()} />
      )}
      {data === undefined && error === null && <ShadowKeySkeleton />}
      {data?.keys.length === 0 && <NoKey />}
      {data?.keys.map((key) => (
        <ShadowKeyCard key={key.id} report={{ ...key, name: keyName(key, data.keys) }} />
      ))}
    </>
  );
}

function NoKey() {
  const { canManage, page } = useScope();
  return (
    <Card>
      <EmptyState
        title="No key is in shadow mode"
        action={
          canManage && (
            <Button component={Link} href={page('keys')} variant="default">
              Choose a key
            </Button>
          )
        }
      >
        Start with a key that only observes: your form works as before, and this page shows whom Gatehouse
        would have challenged and blocked.
      </EmptyState>
    </Card>
  );
}
