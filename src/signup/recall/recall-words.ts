/** Says what a recall found: how many signups, and by what. */
import type { RecallCause } from '../../model/recall.ts';
import type { RecallCount } from '../../store/recall-store.ts';

type Cause = Pick<RecallCount, 'cause' | 'causeId'>;

const MAX_CAUSES = 3;

/** `73 signups that got in before would not come in now: 61 by the source ip-abuse, 12 by your lists.` */
export function describeRecall(counts: readonly (Cause & { readonly count: number })[]): string {
  const byWords = new Map<string, number>();
  for (const { count, ...cause } of counts)
    byWords.set(describeCause(cause), (byWords.get(describeCause(cause)) ?? 0) + count);
  const largest = [...byWords].sort(([, a], [, b]) => b - a);
  const total = largest.reduce((sum, [, count]) => sum + count, 0);
  const named = largest.slice(0, MAX_CAUSES).map(([words, count]) => `${grouped(count)} by ${words}`);
  const rest = largest.slice(MAX_CAUSES).reduce((sum, [, count]) => sum + count, 0);
  const causes = [...named, ...(rest === 0 ? [] : [`${grouped(rest)} by others`])].join(', ');
  return `${grouped(total)} ${total === 1 ? 'signup' : 'signups'} that got in before would not come in now: ${causes}.`;
}

const WORDS: Readonly<Record<RecallCause, (id: string) => string>> = {
  list: () => 'your lists',
  feed: (id) => `the source ${id}`,
  campaign: () => 'a wave',
  label: () => 'labels that were taken back',
  policy: () => 'thresholds or weights',
  other: () => 'what was learned since',
};

/** `the source tor-exits` */
export function describeCause({ cause, causeId }: Cause): string {
  return WORDS[cause](causeId);
}

function grouped(number: number): string {
  return number.toLocaleString('en-US');
}
