/** Compares verdicts of another service with ours: how often they agree, and which groups of signups differ most. */
import type { Verdict } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';

/** Signups by their verdict, then ours. */
export type AgreementMatrix = Readonly<Record<Verdict, Readonly<Record<Verdict, number>>>>;

/** One signup with both verdicts. */
export interface ComparedSignup {
  readonly theirs: Verdict;
  readonly ours: Verdict;
  readonly score: number;
  /** Ours. */
  readonly reasons: readonly ReasonCode[];
}

/** Signups with the same two verdicts and the same reasons. `first` is the first of them. */
export interface DisagreementGroup<T> {
  readonly theirs: Verdict;
  readonly ours: Verdict;
  readonly reasons: readonly ReasonCode[];
  readonly count: number;
  readonly first: T;
}

export interface Agreement<T> {
  /** `example` is called only for the first signup of a group of disagreement. */
  add(compared: ComparedSignup, example: () => T): void;
  readonly compared: number;
  readonly agreed: number;
  matrix(): AgreementMatrix;
  /** The largest first. */
  groups(maxGroups: number): readonly DisagreementGroup<T>[];
}

/** More combinations of reasons than this do not occur; they would be counted in the matrix only. */
const MAX_GROUPS = 10_000;

export function createAgreement<T>(): Agreement<T> {
  const cells = { allow: zeros(), challenge: zeros(), block: zeros() };
  const groups = new Map<string, { count: number; readonly of: ComparedSignup; readonly first: T }>();
  let compared = 0;
  let agreed = 0;

  function addToGroup(signup: ComparedSignup, example: () => T): void {
    const key = [signup.theirs, signup.ours, ...[...signup.reasons].sort()].join(' ');
    const group = groups.get(key);
    if (group !== undefined) group.count += 1;
    else if (groups.size < MAX_GROUPS) groups.set(key, { count: 1, of: signup, first: example() });
  }

  return {
    add(signup, example) {
      compared += 1;
      cells[signup.theirs][signup.ours] += 1;
      if (signup.theirs === signup.ours) agreed += 1;
      else addToGroup(signup, example);
    },
    get compared() {
      return compared;
    },
    get agreed() {
      return agreed;
    },
    matrix: () => structuredClone(cells),
    groups: (maxGroups) =>
      [...groups.values()]
        .sort((a, b) => b.count - a.count)
        .slice(0, maxGroups)
        .map(({ count, of: { theirs, ours, reasons }, first }) => ({ theirs, ours, reasons, count, first })),
  };
}

function zeros(): Record<Verdict, number> {
  return { allow: 0, challenge: 0, block: 0 };
}
