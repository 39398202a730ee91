/** Recall: who got in before and would not come in now, counted by cause; each count leads to its signups. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { RecallCauseRow, RecalledRow, RecallReport } from '../../../src/contract/dashboard-recall.ts';
import { labelOfDetector } from '../../../src/contract/detectors.ts';
import { useGet, useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { grouped } from '../ui/format.ts';
import { IndexingNotice } from '../ui/indexing-notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { AT_COLUMN, EMAIL_COLUMN, VERDICT_COLUMN, VERDICT_WIDTH } from '../ui/signup-columns.tsx';
import { StatCard, StatRow } from '../ui/stat-card.tsx';
import { useTimes } from '../ui/use-times.ts';
import { VerdictBadge } from '../ui/verdict-badge.tsx';
import { shownError } from '../ui/waiting.ts';
import { DismissRecalled } from './recall-dismiss.tsx';
import styles from './recall-page.module.css';
import { causeWords, runWords } from './recall-words.ts';

const REFRESH_MS = 30_000;
const BUSY_MS = 2_000;

export function RecallPage() {
  const { api, page } = useScope();
  const [busy, setBusy] = useState(false);
  const query = useGet<RecallReport>(api('recall'), { live: busy ? BUSY_MS : REFRESH_MS });
  const report = query.data;
  const isBusy = report?.state === 'running' || report?.state === 'waiting';
  if (isBusy !== busy) setBusy(isBusy);
  const error = shownError(query);
  return (
    <>
      <PageHeader title="Recall" actions={report && <Actions report={report} />}>
        Signups that got in before, and would not come in with what is known today. Velocity and the answers
        of DNS stay as they were.
      </PageHeader>
      <IndexingNotice indexing={report?.indexing} />
      {report === undefined && error !== null && (
        <ErrorState error={error} onRetry={() => void query.refetch()} />
      )}
      {report !== undefined && <Progress report={report} />}
      <StatRow>
        <StatCard
          label="Would not come in now"
          value={report && grouped(report.total)}
          note={
            report && (report.seen === 0 ? 'signups' : `besides ${grouped(report.seen)} that you have seen`)
          }
          href={report && page('assessments', { recalled: 'all', mode: undefined, period: undefined })}
        />
        <StatCard
          label="Would be blocked"
          value={report && grouped(report.block)}
          href={report && page('assessments', { recalled: 'block', mode: undefined, period: undefined })}
        />
        <StatCard
          label="Would be challenged"
          value={report && grouped(report.challenge)}
          href={report && page('assessments', { recalled: 'challenge', mode: undefined, period: undefined })}
        />
      </StatRow>
      <Causes report={report} />
      <Newest report={report} />
    </>
  );
}

function Progress({ report }: { report: RecallReport }) {
  const times = useTimes();
  const ended = report.run?.ended_at;
  return (
    <p className={styles.note} role="status">
      {runWords(report, ended == null ? '' : times.exact(ended))}
    </p>
  );
}

function Actions({ report }: { report: RecallReport }) {
  const { api, page, canList } = useScope();
  const [dismissing, setDismissing] = useState(false);
  const start = useSend('POST', api('recall'), { refreshes: [api('recall')] });
  const isIdle = report.state === 'never' || report.state === 'ended';
  if (!canList) return null;
  return (
    <div className={styles.actions}>
      <ProblemNote error={start.error} />
      {report.total > 0 && (
        <>
          <Button
            component={Link}
            href={page('assessments', { recalled: 'all', mode: undefined, period: undefined })}
          >
            Show all
          </Button>
          <Button variant="default" onClick={() => setDismissing(true)}>
            Nothing to do…
          </Button>
        </>
      )}
      {report.days !== null && (
        <Button variant="default" loading={start.isPending} disabled={!isIdle} onClick={() => start.mutate()}>
          Judge again now
        </Button>
      )}
      {dismissing && <DismissRecalled report={report} onClose={() => setDismissing(false)} />}
    </div>
  );
}

const CAUSE_COLUMNS: readonly Column<RecallCauseRow>[] = [
  { id: 'cause', head: 'By', wrap: 'always', cell: (row) => causeWords(row) },
  {
    id: 'block',
    head: 'Blocked now',
    width: 110,
    align: 'right',
    from: 'sm',
    cell: ({ block }) => grouped(block),
  },
  {
    id: 'challenge',
    head: 'Challenged now',
    width: 130,
    align: 'right',
    from: 'sm',
    cell: ({ challenge }) => grouped(challenge),
  },
  { id: 'total', head: 'Signups', width: 90, align: 'right', cell: ({ total }) => grouped(total) },
];

function Causes({ report }: { report: RecallReport | undefined }) {
  const { page } = useScope();
  return (
    <Card title="By what" flush>
      <DataTable
        label="Causes"
        columns={CAUSE_COLUMNS}
        rows={report?.causes}
        rowKey={({ cause, id }) => `${cause} ${id}`}
        href={({ filter }) => page('assessments', { ...filter, mode: undefined, period: undefined })}
        skeletons={3}
        empty={
          <EmptyState
            title={
              report?.run?.ended_at == null
                ? 'Nobody was judged again yet'
                : 'Everybody who got in would come in again'
            }
          >
            Lists, feeds, waves and labels of today are compared with the evidence of each signup. People with
            a good label and people on an Allow list are never listed.
          </EmptyState>
        }
      />
    </Card>
  );
}

const NEWEST_COLUMNS: readonly Column<RecalledRow>[] = [
  VERDICT_COLUMN,
  {
    id: 'now',
    head: 'Now',
    width: VERDICT_WIDTH,
    cell: ({ new_verdict }) => <VerdictBadge verdict={new_verdict} observed={false} />,
  },
  EMAIL_COLUMN,
  {
    id: 'finding',
    head: 'New finding',
    from: 'md',
    width: '30%',
    cell: ({ new_finding }) => labelOfDetector(new_finding),
  },
  { ...AT_COLUMN, from: 'sm' },
];

function Newest({ report }: { report: RecallReport | undefined }) {
  const { page } = useScope();
  if (report === undefined || report.newest.length === 0) return null;
  return (
    <Card title="The newest" flush>
      <DataTable
        label="The newest of them"
        columns={NEWEST_COLUMNS}
        rows={report.newest}
        rowKey={({ request_id }) => request_id}
        href={({ request_id }) => page(`assessments/${request_id}`, { mode: undefined })}
      />
    </Card>
  );
}
