/** One job: how far it is, what went wrong, its file, and how to cancel, continue or undo it. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { TakeBackDetails, TakeBackRow } from '../../../src/contract/dashboard-take-back.ts';
import { apiUrl, useGet, useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { download } from '../ui/download.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Fact } from '../ui/fact.tsx';
import { grouped } from '../ui/format.ts';
import { later } from '../ui/later.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { SidePanel } from '../ui/side-panel.tsx';
import { ACCOUNT_WORDS, countsOf, doneOf, stateOf } from './takeback-words.ts';
import type { AddIdsProps } from './takebacks-ids.tsx';
import styles from './takebacks-page.module.css';
import { UndoDialog } from './takebacks-undo.tsx';

const AddIds = later<AddIdsProps>(async () => (await import('./takebacks-ids.tsx')).AddIds);

const LIVE_MS = 1_000;

export function JobPanel({ id, onClose }: { readonly id: string; onClose: () => void }) {
  const { api } = useScope();
  const { data, error } = useGet<TakeBackDetails>(api(`takeback/${id}`), { live: LIVE_MS });
  return (
    <SidePanel title={data?.job.name ?? 'Take back'} label="Job" onClose={onClose}>
      {data === undefined && error?.status === 404 && (
        <EmptyState title="This job does not exist">Jobs are removed after 30 days.</EmptyState>
      )}
      {data === undefined && error?.status !== 404 && <ProblemNote error={error} />}
      {data !== undefined && (
        <>
          <State job={data.job} />
          <Actions job={data.job} />
          <Facts job={data.job} />
          <Problems details={data} />
        </>
      )}
    </SidePanel>
  );
}

function State({ job }: { job: TakeBackRow }) {
  const { state, problem, total, waits_until: waits } = job;
  return (
    <div role="status">
      <p>
        <strong>{stateOf(job)}</strong>
      </p>
      {state === 'running' && (
        <progress className={styles.progress} aria-label="Done" max={total} value={doneOf(job)} />
      )}
      {waits !== null && (
        <p className="gh-dim">
          The provider wants a pause: it goes on <RelativeTime at={waits} />.
        </p>
      )}
      {problem !== null && <p role="alert">The provider refused: {problem}</p>}
    </div>
  );
}

type Dialog = 'undo' | 'ids';

function Actions({ job }: { job: TakeBackRow }) {
  const { api } = useScope();
  const { id, state, counts, holds, phase, undo_until: undoUntil } = job;
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const direct = useSend<TakeBackRow, 'cancel' | 'continue'>(
    'POST',
    (name) => api(`takeback/${id}/${name}`),
    {
      refreshes: [api('takeback')],
    },
  );
  const isRunning = state === 'running';
  const hasMore =
    phase === 'hold' ? counts.waiting + counts.sent + counts.failed > 0 : counts.held + counts.failed > 0;
  return (
    <>
      <div className={styles.actions}>
        {isRunning && (
          <Button size="xs" color="red" loading={direct.isPending} onClick={() => direct.mutate('cancel')}>
            Cancel
          </Button>
        )}
        {!isRunning && holds && hasMore && (
          <Button size="xs" loading={direct.isPending} onClick={() => direct.mutate('continue')}>
            Continue
          </Button>
        )}
        {undoUntil !== null && (
          <Button size="xs" variant="default" onClick={() => setDialog('undo')}>
            Undo…
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          onClick={() => download(apiUrl(api(`takeback/${id}/accounts.csv`)))}
        >
          As CSV
        </Button>
        {holds && phase === 'hold' && counts.missing > 0 && (
          <Button size="xs" variant="default" onClick={() => setDialog('ids')}>
            Add user ids…
          </Button>
        )}
      </div>
      <ProblemNote error={direct.error} />
      {dialog === 'undo' && <UndoDialog job={job} onClose={close} />}
      {dialog === 'ids' && <AddIds job={job} onClose={close} />}
    </>
  );
}

function Facts({ job }: { job: TakeBackRow }) {
  const { page } = useScope();
  const { connection, holds, by, created_at: began, attack, undo_until: undoUntil } = job;
  return (
    <dl className={styles.facts}>
      <Fact name="Accounts">{countsOf(job)}</Fact>
      <Fact name="Provider">
        {connection ?? (holds ? 'The connection was removed' : 'None: they are only listed')}
      </Fact>
      <Fact name="Began">
        <RelativeTime at={began} />, by {by}
      </Fact>
      {undoUntil !== null && (
        <Fact name="Undo">
          until <RelativeTime at={undoUntil} />
        </Fact>
      )}
      {attack?.startsWith('cmp_') && (
        <Fact name="Wave">
          <Link href={page(`campaigns/${attack}`)}>Open the wave</Link>
        </Fact>
      )}
    </dl>
  );
}

const SHOWN = 20;

function Problems({ details: { problems, job } }: { details: TakeBackDetails }) {
  const { page } = useScope();
  if (problems.length === 0 || !job.holds) return null;
  return (
    <>
      <h3>Look at these</h3>
      <ul className={styles.problems}>
        {problems.slice(0, SHOWN).map(({ request_id: id, user_id: user, state, problem }) => (
          <li key={id}>
            <Link href={page(`assessments/${id}`)}>{user ?? id}</Link>
            <span className="gh-dim">{problem ?? reasonOf(state, user)}</span>
          </li>
        ))}
      </ul>
      {problems.length > SHOWN && (
        <p className="gh-faint">All of them are in the file ({grouped(job.total)} rows).</p>
      )}
    </>
  );
}

function reasonOf(state: keyof typeof ACCOUNT_WORDS, user: string | null): string {
  if (state !== 'missing') return ACCOUNT_WORDS[state];
  return user === null ? 'no user id is known' : 'the provider has nobody with this id';
}
