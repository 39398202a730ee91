/** Choice of a file of labels: reads it, and looks its rows up at once. */
import { FileInput } from '@mantine/core';
import { useState } from 'react';
import { MAX_LABELLED_OF_ADDRESS } from '../../../src/contract/dashboard-batches.ts';
import { Modal } from '../ui/modal.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { WorkState } from './batch-state.tsx';
import { type LabelFile, readLabelFile } from './feedback-label-file.ts';
import { type LabelFileEffect, sumOf, useLabels } from './feedback-label-work.ts';

export interface ReadLabels extends LabelFile {
  readonly effect: LabelFileEffect;
}

export function ChooseFile({ onRead, onClose }: { onRead(read: ReadLabels): void; onClose(): void }) {
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
        mt="md"
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
