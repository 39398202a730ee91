/** Sends the rows of a file of labels, as a preview or for good, and adds up what came of them. */
import {
  type BatchOutcome,
  type FileLabel,
  type FileLabelCounts,
  type LabelBatchResult,
  MAX_LABEL_ROWS,
} from '../../../src/contract/dashboard-batches.ts';
import { send } from '../api.ts';
import { useScope } from '../scope.ts';
import { useBatches } from './batch-work.ts';

export type LabelFileEffect = Omit<LabelBatchResult, 'undo'>;

const OUTCOMES: readonly BatchOutcome[] = ['fraud', 'good'];

export function useLabels(preview: boolean, onDone: (answers: readonly LabelBatchResult[]) => void) {
  const { api } = useScope();
  return useBatches<FileLabel, LabelBatchResult>({
    size: MAX_LABEL_ROWS,
    send(labels, triedMsAgo) {
      const tried = triedMsAgo === undefined ? {} : { tried_ms_ago: Math.ceil(triedMsAgo) };
      return send('POST', api('feedback/labels'), { labels, ...(preview ? { preview } : tried) });
    },
    onDone,
  });
}

export function sumOf(answers: readonly LabelFileEffect[]): LabelFileEffect {
  const sum = (of: (answer: LabelFileEffect) => number) =>
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
