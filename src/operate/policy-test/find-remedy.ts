/** Finds the change of a policy that is nearest to mending a result: an entry, a weight or a threshold. */
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../model/policy.ts';
import { DEFAULT_POLICY } from '../../signup/policy.ts';
import { allowedCount, type GroupResult, neededShare } from './judge-month.ts';
import type { MonthVerdict } from './replay-month.ts';
import type { TestedRules } from './tested-rules.ts';

export interface PolicyRemedy {
  /** Reason and change, in one or two sentences. */
  readonly text: string;
  /** Place in the file of what to change; `null`: of the rules. */
  readonly place: string | null;
}

export interface RemedyInput {
  readonly result: GroupResult;
  readonly rules: TestedRules;
  readonly verdicts: readonly MonthVerdict[];
  readonly byDefault: readonly MonthVerdict[];
}

type Side = 'lowered' | 'raised';

/** @param result of a group that misses its floor */
export function findRemedy(input: RemedyInput): PolicyRemedy {
  return input.result.miss === 'passes' ? remedyOfWave(input) : remedyOfCrowd(input);
}

function remedyOfWave({ result, rules, verdicts, byDefault }: RemedyInput): PolicyRemedy {
  const { thresholds } = rules.policy;
  const at = (place: number) => verdicts[place] as MonthVerdict;
  const missed = result.places.filter((place) => at(place).verdict === 'allow');
  // Without an entry that lets in so many, enough of the wave would be stopped.
  const lacking = Math.ceil((neededShare(result) - result.tally.stopped) * result.places.length);
  const entry = entryOf(missed.map(at), Math.min(missed.length / 2, lacking), 'lets in');
  if (entry !== undefined) return entry;
  const scores = result.places
    .map((place) => (at(place).list === null ? at(place).score : 0))
    .sort((a, b) => b - a);
  const needed = scores[Math.max(0, Math.ceil(neededShare(result) * scores.length) - 1)] ?? 0;
  const isUsual = needed >= Math.min(DEFAULT_THRESHOLDS.challenge, thresholds.challenge);
  const weight = isUsual ? undefined : weightOf(missed, 'lowered', { rules, verdicts, byDefault });
  if (weight !== undefined) return weight;
  if (needed > 0 && needed < thresholds.challenge)
    return moveThreshold('challenge', needed, 'its', thresholds);
  const office = officeOf(missed.map(at), Math.min(missed.length / 2, lacking));
  return (
    office ?? { text: 'No threshold reaches it: go back to the weights of docs/scoring.md.', place: null }
  );
}

function remedyOfCrowd({ result, rules, verdicts, byDefault }: RemedyInput): PolicyRemedy {
  const { thresholds } = rules.policy;
  const at = (place: number) => verdicts[place] as MonthVerdict;
  const isHit = ({ verdict }: MonthVerdict) =>
    result.miss === 'blocked' ? verdict === 'block' : verdict === 'challenge';
  const hit = result.places.filter((place) => isHit(at(place)));
  const tooMany = hit.length - allowedCount(result);
  const entry = entryOf(hit.map(at), Math.min(hit.length / 2, tooMany), 'stops');
  if (entry !== undefined) return entry;
  const name = result.miss === 'blocked' ? 'block' : 'challenge';
  const scores = hit.map((place) => at(place).score).sort((a, b) => a - b);
  const needed = (scores[tooMany - 1] ?? 0) + 1;
  const isUsual = needed <= DEFAULT_THRESHOLDS[name] && thresholds[name] < DEFAULT_THRESHOLDS[name];
  const weight = isUsual ? undefined : weightOf(hit, 'raised', { rules, verdicts, byDefault });
  if (weight !== undefined) return weight;
  if (needed <= 100) return moveThreshold(name, needed, 'their', thresholds);
  return { text: 'No threshold spares them: go back to the weights of docs/scoring.md.', place: null };
}

/** @param to score that the threshold must let pass, or must not */
function moveThreshold(
  name: keyof Thresholds,
  to: number,
  whose: 'its' | 'their',
  thresholds: Thresholds,
): PolicyRemedy {
  const [score, direction] = whose === 'its' ? [to, 'lower'] : [to - 1, 'higher'];
  const text = `${whose === 'its' ? 'Its' : 'Their'} score is ${score}, and ${name} is ${thresholds[name]}: set ${name} to ${to} or ${direction}.`;
  return { text, place: null };
}

/** The entry of a list that decides most of them, if what it decides is enough to miss the floor. */
function entryOf(
  decided: readonly MonthVerdict[],
  enough: number,
  does: 'lets in' | 'stops',
): PolicyRemedy | undefined {
  const [entry, count] = mostFrequent(
    decided.flatMap(({ list }) => (list === null ? [] : [list])),
    ({ id }) => id,
  );
  if (entry === undefined || count < enough) return undefined;
  const action = does === 'lets in' ? 'allow' : 'deny';
  const text = `The entry ${action} ${entry.value} ${does} ${count} of them: remove it, or make it narrower.`;
  return { text, place: entry.id };
}

function officeOf(decided: readonly MonthVerdict[], enough: number): PolicyRemedy | undefined {
  const [office, count] = mostFrequent(
    decided.flatMap(({ office }) => (office === null ? [] : [office])),
    ({ id }) => id,
  );
  if (office === undefined || count < enough) return undefined;
  const text = `The shared office ${office.value} sets bursts of ${count} of them aside: make it narrower.`;
  return { text, place: office.id };
}

/** The detector whose changed weight makes the largest difference to the defaults. */
function weightOf(
  places: readonly number[],
  side: Side,
  { rules, verdicts, byDefault }: Omit<RemedyInput, 'result'>,
): PolicyRemedy | undefined {
  const sums = new Map<string, number>();
  for (const place of places) {
    const [own, usual] = [verdicts[place], byDefault[place]].map(weightsFound) as [Found, Found];
    for (const detector of new Set([...own.keys(), ...usual.keys()])) {
      const more = (own.get(detector) ?? 0) - (usual.get(detector) ?? 0);
      sums.set(detector, (sums.get(detector) ?? 0) + (side === 'raised' ? more : -more));
    }
  }
  const isMoved = (detector: string) => {
    const [own = 0, usual = 0] = [rules.policy.weights[detector], DEFAULT_POLICY.weights[detector]];
    return side === 'raised' ? own > usual : own < usual;
  };
  const [[detector] = ['']] = [...sums]
    .filter(([name, sum]) => sum > 0 && isMoved(name))
    .sort(([, a], [, b]) => b - a);
  if (detector === '') return undefined;
  const usual = DEFAULT_POLICY.weights[detector];
  return {
    text: `The weight of ${detector} is ${rules.policy.weights[detector]}, by default ${usual}: set it back.`,
    place: rules.written?.weights.find((each) => each.detector === detector)?.place ?? null,
  };
}

type Found = ReadonlyMap<string, number>;

function weightsFound(verdict: MonthVerdict | undefined): Found {
  return new Map(verdict?.findings.map(({ detector, weight }) => [detector, weight]));
}

function mostFrequent<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string,
): readonly [value: Value | undefined, count: number] {
  const counts = new Map<string, { value: Value; count: number }>();
  for (const value of values) {
    const key = keyOf(value);
    counts.set(key, { value, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  const [best] = [...counts.values()].sort((a, b) => b.count - a.count);
  return [best?.value, best?.count ?? 0];
}
