/** Says what decided about a stored signup: its finding with the most points, or the entry of an own list. */
import type { MainFinding } from '../contract/dashboard-assessments.ts';
import { mainDetectorOf } from '../model/main-finding.ts';
import { titleOfFinding } from './finding-title.ts';
import { type FactsHead, readFacts } from './read-facts.ts';
import { pointsOf } from './waterfall.ts';

export interface ScoredSignup extends FactsHead {
  readonly score: number;
  /** Facts as `writeFacts` wrote them. */
  readonly facts: string;
}

/** `null`: nothing has at least five points, and no entry decided. */
export function mainFindingOf(signup: ScoredSignup): MainFinding | null {
  const detector = mainDetectorOf(signup.facts);
  if (detector === '') return null;
  const { findings, evidence } = readFacts(signup.facts, signup);
  const [points = 0] = pointsOf(signup.score, findings);
  return { detector, points, title: titleOfFinding(detector, evidence) };
}
