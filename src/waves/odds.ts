/** Decides how unlikely it is that chance made a group, and how likely one name was made by a program. */
import type { NameFacts } from '../model/name-facts.ts';

/** Odds from which on a group is a wave, as decades: one false wave a year among some ten million tests. */
export const MIN_DECADES = 9;

/**
 * How unlikely `count` of `trials` or more are where each is one with probability `share`, as decades: 9 means 1 in 10⁹. The
 * Chernoff bound of a binomial count, so it is never too high. 0 where no more came than expected.
 */
export function decadesAbove(count: number, trials: number, share: number): number {
  const all = Math.max(trials, count);
  const expected = all * share;
  if (count <= expected || share >= 1) return 0;
  const rest = all - count;
  const others = rest <= 0 ? 0 : rest * Math.log(rest / (all - expected));
  return (count * Math.log(count / expected) + others) / Math.LN10;
}

const MIN_LIKELIHOOD = -4;
const MAX_LIKELIHOOD = 5;
/** Pupils: a year, a surname, an initial. */
const YEAR_FIRST = /^d[24]l\d+$/;
/** Strangeness in the middle between people's names (0) and pronounceable gibberish (3); each step away from it says as much as this. */
const MIDDLE = 1.7;
const PER_STEP = 1.7;
/** Odds below which letters are those of people, strange as they may be: a first name and an initial. */
const PEOPLES_ODDS = -9;
/** Weight of a name that is unknown: of gibberish 97 of 100 are, of people's names 15. */
const OF_UNKNOWN = 0.8;

/**
 * Natural logarithm of how much likelier the name of a member of a wave looks like this than that of an organisation's people,
 * −4 … 5. 0 where nothing can be said. Added up over the members of a group, it tells which of both they are.
 */
export function likelihoodOf({ odds, strangeness, known, mask }: NameFacts): number {
  if ((odds === 0 && strangeness === 0) || YEAR_FIRST.test(mask)) return 0;
  if (known === 'name') return MIN_LIKELIHOOD;
  if (odds < PEOPLES_ODDS) return Math.max(MIN_LIKELIHOOD, odds / 4);
  const isUnknown = known === '' && strangeness > MIDDLE;
  const asGibberish = PER_STEP * (strangeness - MIDDLE) + (isUnknown ? OF_UNKNOWN : 0);
  return Math.max(MIN_LIKELIHOOD, Math.min(MAX_LIKELIHOOD, Math.max(odds, asGibberish)));
}
