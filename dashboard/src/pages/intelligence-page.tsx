/** Intelligence: what the sources are, how fresh, what they refused; refresh, roll back, and check an address. */
import { Button, Progress } from '@mantine/core';
import { useEffect } from 'react';
import { useLocation, useParams, useSearch } from 'wouter';
import type {
  Intelligence,
  SourceLookup,
  VersionedMailHostReport,
} from '../../../src/contract/dashboard-installation.ts';
import { LIVE_MS, useGet, useSession } from '../api.ts';
import { linkTo } from '../pages.ts';
import { Card } from '../ui/card.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IconRefresh } from '../ui/icons.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Claims } from './intelligence-check-claims.tsx';
import { Credits } from './intelligence-credits.tsx';
import { HostView } from './intelligence-host-view.tsx';
import { LookupCard } from './intelligence-lookup-card.tsx';
import styles from './intelligence-page.module.css';
import { useRefresh } from './intelligence-refresh.ts';
import { SourcePanel } from './intelligence-source-panel.tsx';
import { SourceTables } from './intelligence-source-tables.tsx';
import { IntelligenceStats } from './intelligence-stats.tsx';

const WHILE_REFRESHING_MS = 1_000;
const PATH = '/intelligence';

export function IntelligencePage() {
  const [, navigate] = useLocation();
  const search = useSearch();
  const { source: opened } = useParams<{ source?: string }>();
  const operator = useSession().data?.user.operator === true;
  const refresh = useRefresh();
  const { data, error, refetch } = useGet<Intelligence>(PATH, {
    live: refresh.running ? WHILE_REFRESHING_MS : 2 * LIVE_MS,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is handled once
  useEffect(() => refresh.update(data), [data]);
  const source = data?.sources.find(({ id }) => id === opened);
  const actions = operator && data?.fetching && (
    <Button
      leftSection={<IconRefresh size={16} />}
      loading={refresh.running}
      onClick={() => refresh.start(data, undefined)}
    >
      Refresh all
    </Button>
  );
  return (
    <>
      <PageHeader title="Intelligence" actions={actions}>
        The data about domains and networks, and its sources. All accounts share this data.
      </PageHeader>
      {data === undefined && error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <ProblemNote error={refresh.error} />
          <div role="status" aria-live="polite">
            {refresh.running && <Progress value={100} animated size="xs" mb="xs" aria-label="Fetching" />}
            {refresh.said !== undefined && <p className={styles.said}>{refresh.said}</p>}
          </div>
          <IntelligenceStats intelligence={data} />
          <CheckCard />
          {operator && <HostCard />}
          <SourceTables intelligence={data} selected={opened} />
          <Card title="Credits">
            <Credits />
          </Card>
        </>
      )}
      {source !== undefined && data !== undefined && (
        <SourcePanel
          source={source}
          fetching={data.fetching}
          operator={operator}
          refreshing={refresh.running}
          onRefresh={() => refresh.start(data, [source.id])}
          onClose={() => navigate(`${linkTo(PATH)}${search === '' ? '' : `?${search}`}`)}
        />
      )}
    </>
  );
}

/** A domain, an address or an IP, in every source. */
function CheckCard() {
  return (
    <LookupCard<SourceLookup>
      title="Check"
      note="what the sources know about a domain, an email address or an IP"
      name="q"
      path="/intelligence/check"
      label="Domain, email address or IP"
      placeholder="mailinator.com, jo@example.com or 203.0.113.7"
      maxLength={320}
      verb="Check"
    >
      {(lookup) => <Claims lookup={lookup} />}
    </LookupCard>
  );
}

/** Card for operators: the data of a mail host, and whether it is flagged. */
function HostCard() {
  return (
    <LookupCard<VersionedMailHostReport>
      title="Mail hosts"
      note="data about a mail host, and whether its domains are challenged"
      name="host"
      path="/intelligence/host"
      label="Mail host or IP address"
      placeholder="mx.example.net or 203.0.113.7"
      maxLength={255}
      verb="Look up"
    >
      {(report) => <HostView report={report} />}
    </LookupCard>
  );
}
