/** Reports all chosen signups: as fraud, or as good customers who were stopped. Earlier reports stay. */
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import type {
  AssessmentSearchResult,
  Label,
  NamedSignup,
} from '../../../src/contract/dashboard-assessments.ts';
import { type BatchOutcome, type BatchReported, MAX_BATCH } from '../../../src/contract/dashboard-batches.ts';
import { send } from '../api.ts';
import { useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { grouped, pluralize } from '../ui/format.ts';
import { useUndoToast } from '../ui/undo-toast.tsx';
import { WorkState } from './batch-state.tsx';
import { takeBackAll } from './batch-undo.ts';
import { useBatches } from './batch-work.ts';

export interface ReportManyProps {
  readonly rows: readonly NamedSignup[];
  readonly outcome: BatchOutcome;
  onClose(): void;
}

const WORDS: Readonly<Record<BatchOutcome, { readonly as: string; readonly means: string }>> = {
  fraud: {
    as: 'fraud',
    means: 'Those that were allowed are reported as fraud that was let in, the others as confirmed fraud.',
  },
  good: {
    as: 'good customers',
    means:
      'Those that were stopped, or would have been, are reported as mistakes. Those that were allowed are left out.',
  },
};

export function ReportMany({ rows, outcome, onClose }: ReportManyProps) {
  const { as, means } = WORDS[outcome];
  const work = useReporting(rows, outcome);
  const fraud = rows.filter(({ feedback }) => feedback !== null && feedback !== 'false_positive').length;
  const good = rows.filter(({ feedback }) => feedback === 'false_positive').length;
  return (
    <ChangeDialog
      title={`Report ${pluralize(rows.length, 'signup')} as ${as}`}
      verb={work.error === null ? `Report as ${as}` : 'Continue'}
      change={work}
      body={rows.map(({ request_id }) => request_id)}
      onClose={onClose}
    >
      <p>{means}</p>
      {fraud + good > 0 && (
        <p>
          {grouped(good)} of them are reported as good customers and {grouped(fraud)} as fraud already: these
          reports stay.
        </p>
      )}
      <WorkState work={work} verb="reported" />
    </ChangeDialog>
  );
}

function useReporting(rows: readonly NamedSignup[], outcome: BatchOutcome) {
  const { api } = useScope();
  const client = useQueryClient();
  const toast = useUndoToast();
  const show = (labels: ReadonlyMap<string, Label | null>) => {
    client.setQueriesData<InfiniteData<AssessmentSearchResult>>(
      { predicate: ({ queryKey }) => queryKey[0] === api('assessments') },
      (history) => history && { ...history, pages: history.pages.map((page) => relabel(page, labels)) },
    );
    const paths = [api('assessments/'), api('feedback')];
    void client.invalidateQueries({
      predicate: ({ queryKey: [key] }) => paths.some((path) => String(key).startsWith(path)),
    });
  };
  return useBatches<string, BatchReported>({
    size: MAX_BATCH,
    async send(request_ids, triedMsAgo) {
      const tried = triedMsAgo === undefined ? {} : { tried_ms_ago: Math.ceil(triedMsAgo) };
      return send('POST', api('assessments/feedback'), { outcome, request_ids, ...tried });
    },
    onDone(answers) {
      const before = new Map(rows.map((row) => [row.request_id, row.feedback]));
      show(new Map(rows.map((row) => [row.request_id, labelAfter(row, outcome)])));
      toast({
        text: wordsOf(answers, outcome),
        async undo() {
          await takeBackAll(api('undo'), answers);
          show(before);
        },
      });
    },
  });
}

function relabel(
  page: AssessmentSearchResult,
  labels: ReadonlyMap<string, Label | null>,
): AssessmentSearchResult {
  return {
    ...page,
    rows: page.rows.map((row) => {
      const label = labels.get(row.request_id);
      return label === undefined || label === row.feedback ? row : { ...row, feedback: label };
    }),
  };
}

/** Label that the service decides on. */
function labelAfter({ feedback, verdict }: NamedSignup, outcome: BatchOutcome): Label | null {
  if (feedback !== null) return feedback;
  if (outcome === 'good') return verdict === 'allow' ? null : 'false_positive';
  return verdict === 'allow' ? 'false_negative' : 'confirmed_fraud';
}

function wordsOf(answers: readonly BatchReported[], outcome: BatchOutcome): string {
  const sum = (of: 'reported' | 'same' | 'other' | 'allowed' | 'missing') =>
    answers.reduce((total, answer) => total + answer[of], 0);
  const had = sum('same') + sum('other');
  return [
    `Reported ${pluralize(sum('reported'), 'signup')} as ${WORDS[outcome].as}.`,
    had > 0 && `${grouped(had)} had a report, which stays.`,
    sum('allowed') > 0 && `${grouped(sum('allowed'))} were allowed and left out.`,
    sum('missing') > 0 && `${grouped(sum('missing'))} are not there any more.`,
  ]
    .filter((text) => text !== false)
    .join(' ');
}
