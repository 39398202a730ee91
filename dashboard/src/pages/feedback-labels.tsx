/** Labels from a file: reads it here, shows what its rows would report, and reports them with one Undo. */
import { FileInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type BatchLabelled,
  type BatchOutcome,
  type FileLabel,
  type FileLabelCounts,
  MAX_LABEL_ROWS,
  MAX_LABELLED_OF_ADDRESS,
} from '../../../src/contract/dashboard-batches.ts';
import { send } from '../api.ts';
import { useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { grouped, pluralize } from '../ui/format.ts';
import { Modal } from '../ui/modal.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useUndoToast } from '../ui/undo-toast.tsx';
import { useBatches } from './assessments-batches.ts';
import { WorkState } from './assessments-selection-state.tsx';
import { takeBackAll } from './assessments-selection-undo.ts';
import { type LabelFile, readLabelFile } from './feedback-label-file.ts';

type Effect = Omit<BatchLabelled, 'undo'>;

interface Read extends LabelFile {
  readonly effect: Effect;
}

const OUTCOMES: readonly BatchOutcome[] = ['fraud', 'good'];

export function LabelsFromFile({ onClose }: { onClose(): void }) {
  const [read, setRead] = useState<Read>();
  if (read === undefined) return <ChooseFile onRead={setRead} onClose={onClose} />;
  return <ReportFile {...read} onClose={onClose} />;
}

function ChooseFile({ onRead, onClose }: { onRead(read: Read): void; onClose(): void }) {
  const [file, setFile] = useState<LabelFile>();
  const [problem, setProblem] = useState<Error | null>(null);
  const work = useLabels(true, (answers) => {
    if (file !== undefined) onRead({ ...file, effect: sumOf(answers) });
  });
  const choose = async (chosen: File | null) => {
    if (chosen === null) return;
    try {
      const next = readLabelFile(await chosen.text());
      setProblem(null);
      setFile(next);
      work.mutate(next.labels);
    } catch (error) {
      setProblem(error as Error);
    }
  };
  return (
    <Modal opened onClose={onClose} title="Labels from a file">
      <p>
        A CSV file with two columns: <code>request_id</code> or <code>email</code>, and <code>label</code>,
        which is <code>fraud</code> or <code>good</code>. An address stands for its {MAX_LABELLED_OF_ADDRESS}{' '}
        newest live signups, in all its spellings. Nothing is reported before you have seen what it does.
      </p>
      <FileInput
        label="File"
        placeholder="Choose a file…"
        accept=".csv,.tsv,.txt,text/csv"
        clearable={false}
        disabled={work.isPending}
        onChange={(chosen) => void choose(chosen)}
      />
      <WorkState work={work} verb="rows looked up" />
      <ProblemNote error={problem ?? work.error} />
    </Modal>
  );
}

function ReportFile({ labels, empty, unknown, effect, onClose }: Read & { onClose(): void }) {
  const { api } = useScope();
  const client = useQueryClient();
  const toast = useUndoToast();
  const refresh = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [key] }) =>
        [api('assessments'), api('feedback')].some((path) => String(key).startsWith(path)),
    });
  const work = useLabels(false, (answers) => {
    const { fraud, good } = sumOf(answers);
    void refresh();
    toast({
      text: `Reported ${pluralize(fraud.reported, 'signup')} as fraud and ${grouped(good.reported)} as good customers.`,
      async undo() {
        await takeBackAll(api('undo'), answers);
        await refresh();
      },
    });
  });
  const total = effect.fraud.reported + effect.good.reported;
  return (
    <ChangeDialog
      title="Labels from a file"
      verb={work.error === null ? `Report ${pluralize(total, 'signup')}` : 'Continue'}
      change={work}
      body={labels}
      onClose={onClose}
    >
      <p>
        {pluralize(labels.length, 'row')} with a label. They report {grouped(effect.fraud.reported)} as fraud
        that was let in or stopped, and {grouped(effect.good.reported)} as good customers who were stopped.
      </p>
      <LeftOut effect={effect} empty={empty} unknown={unknown} />
      <WorkState work={work} verb="rows reported" />
    </ChangeDialog>
  );
}

function LeftOut({ effect, empty, unknown }: Pick<Read, 'effect' | 'empty' | 'unknown'>) {
  const { fraud, good, missing, contradicting } = effect;
  const words = [...unknown].slice(0, 5).map(([word, rows]) => `“${word}” (${grouped(rows)})`);
  const notes = [
    [fraud.same + good.same, 'signups have the same report already'],
    [fraud.other + good.other, 'signups have another report, which stays'],
    [good.allowed, 'good customers were allowed: nothing was wrong'],
    [missing, 'rows name nobody who is stored here'],
    [contradicting, 'rows contradict an earlier row and are left out'],
    [empty, 'rows have no signup or no label'],
  ] as const;
  return (
    <>
      <ul>{notes.map(([count, text]) => count > 0 && <li key={text}>{`${grouped(count)} ${text}.`}</li>)}</ul>
      {words.length > 0 && <p>Words that are no labels here: {words.join(', ')}.</p>}
    </>
  );
}

function useLabels(preview: boolean, onDone: (answers: readonly BatchLabelled[]) => void) {
  const { api } = useScope();
  return useBatches<FileLabel, BatchLabelled>({
    size: MAX_LABEL_ROWS,
    send(labels, triedMsAgo) {
      const tried = triedMsAgo === undefined ? {} : { tried_ms_ago: Math.ceil(triedMsAgo) };
      return send('POST', api('feedback/labels'), { labels, ...(preview ? { preview } : tried) });
    },
    onDone,
  });
}

function sumOf(answers: readonly Effect[]): Effect {
  const sum = (of: (answer: Effect) => number) => answers.reduce((total, answer) => total + of(answer), 0);
  const counts = (outcome: BatchOutcome): FileLabelCounts => ({
    reported: sum((answer) => answer[outcome].reported),
    same: sum((answer) => answer[outcome].same),
    other: sum((answer) => answer[outcome].other),
    allowed: sum((answer) => answer[outcome].allowed),
  });
  const [fraud, good] = OUTCOMES.map(counts) as [FileLabelCounts, FileLabelCounts];
  return {
    fraud,
    good,
    missing: sum(({ missing }) => missing),
    contradicting: sum(({ contradicting }) => contradicting),
  };
}
