/** Says in a few words each how fast the service answers, and whether feeds and sources are in order. */
import type { Today } from '../../../src/contract/dashboard-today.ts';
import { duration, grouped, milliseconds } from '../ui/format.ts';

export interface StatusWords {
  readonly text: string;
  readonly isBad: boolean;
  readonly ofFeeds: boolean;
}

/** @param distrusted names of the sources whose answers do not count */
export function statusWords(
  { latency, intelligence }: Pick<Today, 'latency' | 'intelligence'>,
  distrusted: readonly string[],
): readonly StatusWords[] {
  const { p50, p95 } = latency;
  const words: StatusWords[] = [];
  if (p50 !== null && p95 !== null)
    words.push({
      text: `Answers in ${milliseconds(p50)}, 95% within ${milliseconds(p95)}`,
      isBad: false,
      ofFeeds: false,
    });
  return [...words, feedWords(intelligence), sourceWords(distrusted)];
}

function feedWords({ sources, stale, refused, oldest_seconds: age }: Today['intelligence']): StatusWords {
  const bad = [
    ...(stale > 0 ? [`${grouped(stale)} out of date`] : []),
    ...(refused > 0 ? [`${grouped(refused)} with a rejected update`] : []),
  ];
  const state = age === null ? 'bundled' : `oldest ${duration(age)}`;
  return {
    text: `${grouped(sources)} lists, ${bad.length === 0 ? state : bad.join(', ')}`,
    isBad: bad.length > 0,
    ofFeeds: true,
  };
}

function sourceWords(distrusted: readonly string[]): StatusWords {
  const isBad = distrusted.length > 0;
  const text = isBad ? `wrong answers from ${distrusted.join(', ')}` : 'DNS in order';
  return { text, isBad, ofFeeds: false };
}
