/** Below the list, while signups are chosen: how many, with which answers, and what can be done with all of them. */
import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import type { NamedSignup } from '../../../src/contract/dashboard-assessments.ts';
import { type BatchExported, type BatchOutcome, MAX_BATCH } from '../../../src/contract/dashboard-batches.ts';
import type { DecidingAction } from '../../../src/model/list-entry.ts';
import { send } from '../api.ts';
import { useScope } from '../scope.ts';
import { downloadText } from '../ui/download.ts';
import { grouped } from '../ui/format.ts';
import { IconChevronDown, IconDownload, IconX } from '../ui/icons.ts';
import { later } from '../ui/later.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { VERDICT_ORDER, VERDICTS } from '../ui/verdicts.ts';
import styles from './assessments-selection.module.css';
import { MAX_CHOSEN, type SignupSelection } from './assessments-selection.ts';
import { WorkState } from './batch-state.tsx';
import { useBatches } from './batch-work.ts';
import type { TakeBackDialogProps } from './takeback-dialog.tsx';

const ReportMany = later(async () => (await import('./assessments-selection-report.tsx')).ReportMany);
const TakeBackDialog = later<TakeBackDialogProps>(
  async () => (await import('./takeback-dialog.tsx')).TakeBackDialog,
);
const ListMany = later(async () => (await import('./assessments-selection-list.tsx')).ListMany);

type Opened = 'takeback' | { readonly outcome: BatchOutcome } | { readonly action: DecidingAction };

export function SelectionBar({ selection }: { selection: SignupSelection }) {
  const { canList } = useScope();
  const [opened, setOpened] = useState<Opened>();
  const rows = [...selection.rows.values()];
  const letIn = rows.filter(isLetIn);
  const exporting = useExportChosen();
  const close = () => setOpened(undefined);
  return (
    <section className={styles.bar} aria-label="Selected signups">
      <div className={styles.line}>
        <p className={styles.counts} aria-live="polite">
          <strong>{grouped(rows.length)} selected</strong>
          <span className="gh-dim">{answersOf(rows)}</span>
        </p>
        <div className={styles.actions}>
          <Menu position="top-start" withInitialFocusPlaceholder={false}>
            <Menu.Target>
              <Button variant="default" size="xs" rightSection={<IconChevronDown size={14} />}>
                Report
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setOpened({ outcome: 'fraud' })}>Fraud…</Menu.Item>
              <Menu.Item onClick={() => setOpened({ outcome: 'good' })}>Good customers…</Menu.Item>
            </Menu.Dropdown>
          </Menu>
          {canList &&
            (['deny', 'allow'] as const).map((action) => (
              <Button key={action} variant="default" size="xs" onClick={() => setOpened({ action })}>
                {action === 'deny' ? 'Block…' : 'Allow…'}
              </Button>
            ))}
          {canList && letIn.length > 0 && (
            <Button variant="default" size="xs" onClick={() => setOpened('takeback')}>
              Take back…
            </Button>
          )}
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} />}
            loading={exporting.isPending}
            onClick={() => exporting.mutate(rows.map(({ request_id }) => request_id))}
          >
            {exporting.error === null ? 'Export these' : 'Continue the export'}
          </Button>
          <Button variant="subtle" size="xs" leftSection={<IconX size={14} />} onClick={selection.clear}>
            Clear
          </Button>
        </div>
      </div>
      <Reading selection={selection} />
      <WorkState work={exporting} verb="exported" />
      <ProblemNote error={exporting.error} />
      {opened === 'takeback' && <TakeBackDialog choice={choiceOf(selection, letIn)} onClose={close} />}
      {typeof opened === 'object' && 'outcome' in opened && (
        <ReportMany rows={rows} outcome={opened.outcome} onClose={close} />
      )}
      {typeof opened === 'object' && 'action' in opened && (
        <ListMany rows={rows} action={opened.action} onClose={close} />
      )}
    </section>
  );
}

function isLetIn({ verdict, shadow, mode }: NamedSignup): boolean {
  return mode === 'live' && (shadow || verdict === 'allow');
}

/** Signups that were let in: all of a filter, or by their ids, of which the service says when they are too many. */
function choiceOf(
  { filter, inTable }: SignupSelection,
  letIn: readonly NamedSignup[],
): TakeBackDialogProps['choice'] {
  if (inTable.share === 'all') return { filter: { ...filter } };
  return { request_ids: letIn.map(({ request_id }) => request_id) };
}

function Reading({ selection: { isReading, isFull, error, resume } }: { selection: SignupSelection }) {
  if (isReading) return <p className="gh-dim">Selecting all that the filter finds…</p>;
  if (error !== null)
    return (
      <p className="gh-dim">
        Not all could be selected: {error.message}{' '}
        <Button variant="subtle" size="compact-xs" onClick={resume}>
          Continue
        </Button>
      </p>
    );
  return isFull ? (
    <p className="gh-dim">At most {grouped(MAX_CHOSEN)}, the newest, can be selected.</p>
  ) : null;
}

/** `3 blocked · 5 challenged · 2 only observed`. */
function answersOf(rows: readonly NamedSignup[]): string {
  const observed = rows.filter(({ verdict, shadow }) => shadow && verdict !== 'allow').length;
  const answered = [...VERDICT_ORDER].reverse().map((verdict) => ({
    word: VERDICTS[verdict].did,
    count: rows.filter((row) => row.verdict === verdict && !(row.shadow && verdict !== 'allow')).length,
  }));
  return [...answered, { word: 'only observed', count: observed }]
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${grouped(count)} ${word}`)
    .join(' · ');
}

/** One file of exactly these. */
function useExportChosen() {
  const { api } = useScope();
  return useBatches<string, BatchExported>({
    size: MAX_BATCH,
    send: (request_ids) => send('POST', api('assessments/export'), { request_ids }),
    onDone(answers) {
      const day = new Date().toISOString().slice(0, 10);
      const text = (answers[0]?.header ?? '') + answers.map(({ lines }) => lines).join('');
      const count = answers.reduce((sum, { exported }) => sum + exported, 0);
      downloadText(`assessments-${day}-${count}-selected.csv`, text, 'text/csv');
    },
  });
}
