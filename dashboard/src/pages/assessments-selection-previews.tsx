/** Previews: how many signups of the last 30 days each value would have matched, one after the other, and all values together. */
import { useEffect, useState } from 'react';
import type { ListPreview } from '../../../src/contract/dashboard-account.ts';
import type { DecidingAction } from '../../../src/model/list-entry.ts';
import { ApiProblem, send } from '../api.ts';
import { useScope } from '../scope.ts';
import { grouped, pluralize } from '../ui/format.ts';
import { ReportedEffect } from '../ui/reported-effect.tsx';
import { signupsOf } from '../ui/verdicts.ts';
import { ACTIONS } from './listing-kinds.ts';

/** Preview of a value, or why there is none: it is tried all the same. */
export interface Preview {
  readonly answer?: ListPreview;
  readonly problem?: string;
}

const RETRY_MS = 3_000;

/** Previews of the values so far. */
export function usePreviews(action: DecidingAction, values: readonly string[]): ReadonlyMap<string, Preview> {
  const { api } = useScope();
  const path = api('lists/preview');
  const [previews, setPreviews] = useState<ReadonlyMap<string, Preview>>(new Map());
  const wanted = values.join(' ');
  useEffect(() => {
    const controller = new AbortController();
    const readAll = async () => {
      setPreviews(new Map());
      for (const value of wanted === '' ? [] : wanted.split(' ')) {
        const preview = await readOne(path, { action, value }, controller.signal);
        if (controller.signal.aborted) return;
        setPreviews((before) => new Map(before).set(value, preview));
      }
    };
    void readAll();
    return () => controller.abort();
  }, [action, path, wanted]);
  return previews;
}

async function readOne(path: string, draft: object, signal: AbortSignal): Promise<Preview> {
  for (;;)
    try {
      return { answer: await send<ListPreview>('POST', path, draft, signal) };
    } catch (error) {
      if (signal.aborted) return {};
      const waits = error instanceof ApiProblem && error.retryAfterSeconds !== undefined;
      if (!waits) return { problem: (error as Error).message };
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
}

/** `matches 64: 1 good, 7 fraud`. */
export function wordsOf(preview: Preview | undefined): string {
  if (preview === undefined) return 'counting…';
  if (preview.answer === undefined) return preview.problem ?? '';
  const { matched, labelled, conflicts, counted_from: from } = preview.answer;
  const atLeast = from === null ? '' : 'at least ';
  const contradicted = conflicts.length === 0 ? '' : `; contradicts ${conflicts[0]?.entry.value}`;
  return `matches ${atLeast}${grouped(signupsOf(matched))}: ${grouped(labelled.good)} good, ${grouped(labelled.fraud)} fraud${contradicted}`;
}

interface PreviewTotalProps {
  readonly action: DecidingAction;
  readonly previews: readonly (Preview | undefined)[];
}

export function PreviewTotal({ action, previews }: PreviewTotalProps) {
  const answers = previews.flatMap((preview) => preview?.answer ?? []);
  const counted = previews.filter((preview) => preview !== undefined).length;
  if (counted < previews.length)
    return (
      <p className="gh-dim" role="status">
        Counting what they match in the last 30 days: {counted} of {previews.length}.
      </p>
    );
  if (answers.length === 0) return null;
  const sum = (of: (answer: ListPreview) => number) =>
    answers.reduce((total, answer) => total + of(answer), 0);
  const labelled = {
    good: sum((answer) => answer.labelled.good),
    fraud: sum((answer) => answer.labelled.fraud),
  };
  return (
    <div role="status">
      <p>
        In the last 30 days they match{' '}
        <strong>
          {pluralize(
            sum(({ matched }) => signupsOf(matched)),
            'signup',
          )}
        </strong>
        , {grouped(sum(({ matched }) => matched.allow))} of them allowed. From now on such signups are{' '}
        {ACTIONS[action].did}, whatever their score.
      </p>
      {labelled.good + labelled.fraud > 0 && (
        <>
          <p>
            People reported {grouped(labelled.good)} of them as good customers and {grouped(labelled.fraud)}{' '}
            as fraud.
          </p>
          <ReportedEffect
            labelled={labelled}
            effect={{
              helped: sum(({ effect }) => effect.helped),
              harmed: sum(({ effect }) => effect.harmed),
              stopped: sum(({ effect }) => effect.stopped),
              let_in: sum(({ effect }) => effect.let_in),
            }}
          />
        </>
      )}
    </div>
  );
}
