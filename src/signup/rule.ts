/** How one detector reads the evidence. */
import type { ReasonCode } from '../contract/reasons.ts';
import type { Evidence } from '../model/evidence.ts';
import type { Category } from '../model/source.ts';

/**
 * Meaning of a finding for the person in front of us. `accusation`: something that few honest people have. `burst`: many
 * came, which says nothing of one of them. `neutral`: something that honest people have, too. `hint`: something that may be
 * chance, so that without an accusation it tips no verdict, as nothing below five points does.
 */
export type FindingKind = 'accusation' | 'burst' | 'neutral' | 'hint';

export interface Rule {
  /** Internal id of the detector; several may share a public code. */
  readonly detector: string;
  readonly code: ReasonCode;
  readonly kind: FindingKind;
  /** Base weight as evidence of abuse, 0 … 100; `weigh` changes it, up or down. */
  readonly weight: number;
  /** Why it weighs that much. */
  readonly rationale: string;
  readonly applies: (evidence: Evidence) => boolean;
  /**
   * The weight for this evidence, from the base weight; without a function, the base itself. `isAccused`: a rule before found
   * an accusation. Rules that ask for it come last.
   */
  readonly weigh: (base: number, evidence: Evidence, isAccused: boolean) => number;
  /** One sentence for people. */
  readonly detail: (evidence: Evidence) => string;
  /** Maximum weight; also limits a weight that an account sets. */
  readonly limit: number;
  /** Together with the other findings it raises the score to this at most, 0 … 100: what is not sure tips nothing. */
  readonly maxScore: number;
  /** Hits that show the list entries that caused it; `undefined` if it reads no list. */
  readonly listedBy: ListedBy | undefined;
}

interface ListedBy {
  readonly part: 'email' | 'ip';
  readonly category: Category;
}

type Optional = 'kind' | 'weigh' | 'limit' | 'maxScore' | 'listedBy';
export type RuleRow = Omit<Rule, Optional> & Partial<Pick<Rule, Optional>>;

/** All rules are of one shape: the judge reads them a few million times an hour. */
export function toRule(row: RuleRow): Rule {
  return {
    detector: row.detector,
    code: row.code,
    // A finding that may not tip a verdict does not accuse people in a burst either.
    kind: row.kind ?? (row.maxScore === undefined ? 'accusation' : 'neutral'),
    weight: row.weight,
    rationale: row.rationale,
    applies: row.applies,
    weigh: row.weigh ?? ((base) => base),
    detail: row.detail,
    limit: row.limit ?? 100,
    maxScore: row.maxScore ?? 100,
    listedBy: row.listedBy,
  };
}
