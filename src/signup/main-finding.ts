/** Says what decided about a stored signup: its finding with the most points, or the entry of an own list. */
import type { MainFinding } from '../contract/dashboard-assessments.ts';
import type { Verdict } from '../contract/messages.ts';
import { mainDetectorOf } from '../model/main-finding.ts';
import { titleOfFinding } from './finding-title.ts';
import { type FactsHead, readFacts } from './read-facts.ts';
import { tippedBy } from './tipped-by.ts';
import { pointsOf, resultWithout } from './waterfall.ts';

export interface ScoredSignup extends FactsHead {
  readonly score: number;
  readonly verdict: Verdict;
  /** Facts as `writeFacts` wrote them. */
  readonly facts: string;
}

/** `null`: nothing has at least five points, and no entry decided. */
export function mainFindingOf(signup: ScoredSignup): MainFinding | null {
  const detector = mainDetectorOf(signup.facts);
  if (detector === '') return null;
  const { findings, evidence, thresholds } = readFacts(signup.facts, signup);
  const [points = 0] = pointsOf(signup.score, findings);
  const title = titleOfFinding(detector, evidence);
  if (signup.verdict === 'allow' || findings.length < 2) return { detector, points, title, tipped_by: [] };
  const steps = findings.map((finding, at) => ({
    detector: finding.detector,
    without: resultWithout(findings, at, thresholds),
  }));
  return { detector, points, title, tipped_by: tippedBy(signup.verdict, steps) };
}
