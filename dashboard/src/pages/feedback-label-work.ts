/** Sends the rows of a file of labels, as a preview or for good, and adds up what came of them. */
import {
  type BatchLabelled,
  type BatchOutcome,
  type FileLabel,
  type FileLabelCounts,
  MAX_LABEL_ROWS,
} from '../../../src/contract/dashboard-batches.ts';
import { send } from '../api.ts';
import { useScope } from '../scope.ts';
import { useBatches } from './batch-work.ts';

export type LabelEffect = Omit<BatchLabelled, 'undo'>;

const OUTCOMES: readonly BatchOutcome[] = ['fraud', 'good'];

export function useLabels(preview: boolean, onDone: (answers: readonly BatchLabelled[]) => void) {
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

export function sumOf(answers: readonly LabelEffect[]): LabelEffect {
  const sum = (of: (answer: LabelEffect) => number) =>
    answers.reduce((total, answer) => total + of(answer), 0);
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
