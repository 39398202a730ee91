/** Take back: jobs that hold the accounts of people who got in, and the providers where that can be done. */
import { useLocation, useParams } from 'wouter';
import type { TakeBackPage as Jobs, TakeBackRow } from '../../../src/contract/dashboard-take-back.ts';
import { useGet } from '../api.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { stateOf } from './takeback-words.ts';
import { Connections } from './takebacks-connections.tsx';
import styles from './takebacks-page.module.css';
import { JobPanel } from './takebacks-panel.tsx';

const RUNNING_MS = 1_000;
const REFRESH_MS = 15_000;

export function TakeBackPage() {
  const { account, canList } = useScope();
  if (canList) return <All />;
  return (
    <>
      <PageHeader title="Take back" />
      <EmptyState title="Only analysts and owners take accounts back">
        Ask an owner of {account.name} to do it.
      </EmptyState>
    </>
  );
}

function All() {
  const { api, page } = useScope();
  const [, navigate] = useLocation();
  const { job: open } = useParams();
  const found = useGet<Jobs>(api('takeback'), { live: REFRESH_MS });
  const isRunning = found.data?.jobs.some(({ state }) => state === 'running') ?? false;
  useGet<Jobs>(isRunning ? api('takeback') : null, { live: RUNNING_MS });
  return (
    <>
      <PageHeader title="Take back">
        People who got in and should not have: hold their accounts at your auth provider, and release them
        again.
      </PageHeader>
      <section className={styles.section}>
        <Card flush>
          <DataTable
            label="Jobs"
            columns={COLUMNS}
            rows={found.data?.jobs}
            error={found.error}
            onRetry={() => void found.refetch()}
            rowKey={({ id }) => id}
            href={({ id }) => page(`takeback/${id}`)}
            selected={open}
            quiet={open !== undefined}
            skeletons={2}
            empty={
              <EmptyState title="Nothing was taken back in 30 days">
                Open a wave, or select signups that were let in, and choose Take back.
              </EmptyState>
            }
          />
        </Card>
      </section>
      <Connections />
      {open !== undefined && <JobPanel id={open} onClose={() => navigate(page('takeback'))} />}
    </>
  );
}

const COLUMNS: readonly Column<TakeBackRow>[] = [
  { id: 'name', head: 'Who got in', wrap: true, cell: ({ name }) => name },
  {
    id: 'state',
    head: 'State',
    width: 190,
    wrap: true,
    cell: (job) => <span className="gh-dim">{stateOf(job)}</span>,
  },
  { id: 'connection', head: 'Provider', width: 130, from: 'md', cell: ({ connection }) => connection ?? '–' },
  { id: 'by', head: 'By', width: 190, from: 'lg', cell: ({ by }) => by },
  {
    id: 'created',
    head: 'Began',
    width: 'clamp(84px, 10vw, 128px)',
    from: 'sm',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
];
