/** Explains the verdict of an assessment in one sentence. */
import type { AssessmentDetail } from '../../../src/contract/dashboard-assessments.ts';
import { labelOfDetector } from '../../../src/contract/detectors.ts';
import { capitalized } from '../ui/format.ts';
import { VERDICTS } from '../ui/verdicts.ts';
import { ACTIONS } from './listing-kinds.ts';

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });

export function why({ row, list, waterfall, tipped_by, thresholds, snapshot }: AssessmentDetail): string {
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
  if (verdict === 'allow') {
    const findings = others.length === 0 ? 'Only finding' : 'Main finding';
    return `${did}. Score ${score} is below ${thresholds.challenge}, where challenges start. ${findings}: ${first.detail}.`;
  }
  const starts = `${verdict === 'block' ? 'blocking starts' : 'challenges start'} at ${thresholds[verdict]}`;
  const main = row.main_finding?.title ?? labelOfDetector(first.detector);
  return `${did} at ${score} points (${starts}). Main finding: ${main}.${tippers(tipped_by)}`;
}

function tippers(detectors: readonly string[]): string {
  if (detectors.length === 0) return '';
  return ` ${LIST.format(detectors.map(labelOfDetector))} tipped it.`;
}
