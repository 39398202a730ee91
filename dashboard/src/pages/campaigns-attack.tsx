/** The card of an attack, a wave or an alert: how large and fast it is, who got in, what its signups share, what happened, and what a person does about it. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { AttackCard, AttackDone } from '../../../src/contract/dashboard-attacks.ts';
import type { BatchUndone } from '../../../src/contract/dashboard-batches.ts';
import { useGet, useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { download } from '../ui/download.ts';
import { Fact } from '../ui/fact.tsx';
import { duration, grouped, pluralize } from '../ui/format.ts';
import { later } from '../ui/later.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { AttackTimeline } from './campaigns-attack-timeline.tsx';
import type { BlockAttackProps } from './campaigns-block.tsx';
import styles from './campaigns-page.module.css';
import { csvOf, REFRESHED } from './campaigns-refreshed.ts';
import type { TakeBackDialogProps } from './takeback-dialog.tsx';

const BlockAttack = later<BlockAttackProps>(async () => (await import('./campaigns-block.tsx')).BlockAttack);

const TakeBackDialog = later<TakeBackDialogProps>(
  async () => (await import('./takeback-dialog.tsx')).TakeBackDialog,
);

type Dialog = 'block' | 'report' | 'takeback' | 'undo';

export interface AttackProps {
  /** Id of a wave, or of an alert about signups. */
  readonly id: string;
}

export function Attack({ id }: AttackProps) {
  const { api, page, canList } = useScope();
  const { data, error } = useGet<AttackCard>(api(`attacks/${id}`));
  const [dialog, setDialog] = useState<Dialog>();
  const [said, setSaid] = useState('');
  const close = () => setDialog(undefined);
  const say = (text: string) => {
    setSaid(text);
    close();
  };
  if (data === undefined) return <ProblemNote error={error} />;
  const { let_in: letIn, total, unreported, undoable } = data;
  return (
    <>
      {data.kind === 'alert' && <p>{data.name}</p>}
      <p className={styles.size}>{sizeOf(data)}</p>
      <div className={styles.actions}>
        {canList && (
          <Button size="xs" color="red" disabled={total === 0} onClick={() => setDialog('block')}>
            Block…
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          component={Link}
          href={page('assessments', { ...data.let_in_filter, mode: undefined, period: undefined })}
        >
          Who got in ({grouped(letIn)})
        </Button>
        <Button size="xs" variant="default" disabled={letIn === 0} onClick={() => download(csvOf(api, data))}>
          As CSV
        </Button>
        {canList && letIn > 0 && (
          <Button size="xs" variant="default" onClick={() => setDialog('takeback')}>
            Take back…
          </Button>
        )}
        {canList && unreported > 0 && (
          <Button size="xs" variant="default" onClick={() => setDialog('report')}>
            Label them fraud
          </Button>
        )}
        {canList && undoable > 0 && (
          <Button size="xs" variant="default" onClick={() => setDialog('undo')}>
            Undo all
          </Button>
        )}
      </div>
      {said !== '' && <p role="status">{said}</p>}
      <Shared card={data} />
      <AttackTimeline card={data} />
      {dialog === 'block' && <BlockAttack card={data} onDone={say} onClose={close} />}
      {dialog === 'report' && <ReportDialog card={data} onDone={say} onClose={close} />}
      {dialog === 'undo' && <UndoDialog card={data} onDone={say} onClose={close} />}
      {dialog === 'takeback' && <TakeBackDialog choice={{ filter: data.let_in_filter }} onClose={close} />}
    </>
  );
}

function sizeOf({ total, partial, let_in, first_at, last_at, peak_per_minute }: AttackCard): string {
  if (first_at === null || last_at === null) return 'None of its signups is stored any more.';
  const seconds = Math.max(1, Math.round((Date.parse(last_at) - Date.parse(first_at)) / 1_000));
  const most = partial ? 'At least ' : '';
  return `${most}${pluralize(total, 'signup')} in ${duration(seconds)}, up to ${grouped(peak_per_minute)} a minute. ${grouped(let_in)} got in.`;
}

const FEATURES: Readonly<Record<AttackCard['shares'][number]['feature'], string>> = {
  range: 'IP range',
  network: 'Network',
  domain: 'Domain',
  session: 'Session',
  country: 'Country',
};

function Shared({ card: { shares, total, reports, filter } }: { card: AttackCard }) {
  const { page } = useScope();
  const labelled = (feedback: string) =>
    page('assessments', { ...filter, feedback, mode: undefined, period: undefined });
  return (
    <dl className={styles.facts}>
      {shares.map(({ feature, label, count }) => (
        <Fact key={feature} name={FEATURES[feature]}>
          <span className="gh-mono">{label}</span> ({grouped(count)} of {grouped(total)})
        </Fact>
      ))}
      <Fact name="Labels">
        <Link href={labelled('false_positive')}>{pluralize(reports.good, 'good customer')}</Link>,{' '}
        <Link href={labelled('false_negative,confirmed_fraud')}>{grouped(reports.fraud)} fraud</Link>
      </Fact>
    </dl>
  );
}

interface DialogProps {
  readonly card: AttackCard;
  /** Called with a sentence on what was done. */
  onDone(text: string): void;
  onClose(): void;
}

function useAct<Answer>(path: string, onSaved: (answer: Answer) => void) {
  const { api } = useScope();
  return useSend<Answer>('POST', api(path), { refreshes: REFRESHED.map(api), onSaved });
}

function ReportDialog({ card: { id, unreported }, onDone, onClose }: DialogProps) {
  const change = useAct<AttackDone>(`attacks/${id}/report`, ({ reported, left }) =>
    onDone(
      `Labelled ${pluralize(reported, 'signup')} as fraud.${left === 0 ? '' : ` ${grouped(left)} are left: label them, too.`}`,
    ),
  );
  return (
    <ChangeDialog
      change={change}
      body={undefined}
      title={`Label ${pluralize(unreported, 'signup')} as fraud?`}
      verb="Label as fraud"
      onDone={() => undefined}
      onClose={onClose}
    >
      <p>These got in and have no label yet. Undo all takes the labels back for 30 days.</p>
    </ChangeDialog>
  );
}

function UndoDialog({ card: { id, undoable }, onDone, onClose }: DialogProps) {
  const change = useAct<BatchUndone>(`attacks/${id}/undo`, ({ taken_back, changed }) =>
    onDone(
      `Took ${pluralize(taken_back, 'change')} back.${changed === 0 ? '' : ` ${grouped(changed)} stay, because somebody changed them since.`}`,
    ),
  );
  return (
    <ChangeDialog
      change={change}
      body={undefined}
      title="Undo everything about this attack?"
      verb="Undo all"
      onDone={() => undefined}
      onClose={onClose}
    >
      <p>
        {pluralize(undoable, 'step')} of the last 30 days: entries of lists, labels and decisions become what
        they were before, and accounts that are held are released. What others changed since stays.
      </p>
    </ChangeDialog>
  );
}
