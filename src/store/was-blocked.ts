/** Decides which stored assessments turned somebody away, for what counts attempts by it. */
import type { AssessmentHead } from './stored-assessment.ts';

/** Whether the answer was `block`: in shadow mode nobody was told. */
export function wasBlocked({ verdict, shadow }: Pick<AssessmentHead, 'verdict' | 'shadow'>): boolean {
  return verdict === 'block' && !shadow;
}

/** The same of a row in PostgreSQL. */
export const WAS_BLOCKED = "(verdict = 'block' AND NOT shadow)";
