/** Explains the verdict of an assessment in one sentence. */
import type { AssessmentDetail } from '../../../src/contract/dashboard-assessments.ts';
import { capitalized } from '../ui/format.ts';
import { VERDICTS } from '../ui/verdicts.ts';
import { ACTIONS } from './listing-kinds.ts';

/** A second finding is named if it added at least this many points. */
const WORTH_NAMING = 5;

export function why({ row, list, waterfall, thresholds, snapshot }: AssessmentDetail): string {
  const { verdict, score } = row;
  const observed = row.shadow && verdict !== 'allow';
  const did = observed ? `Would have been ${VERDICTS[verdict].did}` : capitalized(VERDICTS[verdict].did);
  if (snapshot === 'sandbox') return `${did} by the sandbox, where the address alone decides.`;
  if (list !== null) {
    const because = list.reason === '' ? '' : `: “${list.reason}”`;
    return `${did} because ${list.kind === 'mailbox' ? 'the mailbox ' : ''}${list.value} is on your ${ACTIONS[list.action].list}${because}.`;
  }
  const [first, ...others] = waterfall;
  if (first === undefined) return `${did}. No finding counts against this signup.`;
  const second = others.find(({ contribution }) => contribution >= WORTH_NAMING);
  const found = second === undefined ? first.detail : `${first.detail}, and ${second.detail}`;
  if (verdict === 'allow') {
    const findings = others.length === 0 ? 'Only finding' : 'Main finding';
    return `${did}. Score ${score} is below ${thresholds.challenge}, where challenges start. ${findings}: ${found}.`;
  }
  const threshold = thresholds[verdict];
  const reach = score === threshold ? 'reaches' : 'is above';
  return `${did}: ${found}. Score ${score} ${reach} the ${verdict} threshold of ${threshold}.`;
}
