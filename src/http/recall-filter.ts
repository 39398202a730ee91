/** Decides which signups a filter of recall names: all, those with a new verdict, or those with a cause. */
import type { FilterMembers } from '../contract/dashboard-signup-counts.ts';
import { RECALL_CAUSES, type RecallCause } from '../model/recall.ts';
import type { RecallCount, RecallFilter } from '../store/recall-store.ts';
import { oneOf, unusable } from './dashboard-values.ts';

/** Words that name no cause. */
const ALL = 'all';
const VERDICTS = ['block', 'challenge'] as const;
const WITH_ID = /^([a-z]+):([\w.-]{1,64})$/;

/** @throws Problem `invalid_value` */
export function readRecallFilter(text: string): RecallFilter {
  if (text === ALL) return {};
  const verdict = VERDICTS.find((word) => word === text);
  if (verdict !== undefined) return { newVerdict: verdict };
  const [, cause = text, causeId] = WITH_ID.exec(text) ?? [];
  if (text.includes(':') && causeId === undefined)
    throw unusable(
      'recalled',
      'This is no cause of a recall.',
      'Send the filter that the page Recall links to.',
    );
  return { cause: oneOf(RECALL_CAUSES, 'recalled', cause), ...(causeId !== undefined && { causeId }) };
}

/** Filter of the signups with a cause. */
export function recallFilterOf({ cause, causeId }: Pick<RecallCount, 'cause' | 'causeId'>): FilterMembers {
  return { recalled: causeId === '' ? (cause satisfies RecallCause) : `${cause}:${causeId}` };
}
