/** Decides whether a search finds a stored assessment; the same as the conditions in SQL do. */
import type { Label } from '../contract/dashboard-assessments.ts';
import { mainDetectorOf } from '../model/main-finding.ts';
import { meetsChoices } from './history-choices.ts';
import { isWithin, type RelatedSearch } from './history-search.ts';
import type { StoredAssessment } from './stored-assessment.ts';

/** @param label the reported outcome */
export function matchesSearch(head: StoredAssessment, label: Label | null, search: RelatedSearch): boolean {
  const { where = {} } = search;
  return (
    hasProperties(head, search) &&
    isIdentified(head, search) &&
    hasLabel(label, search.feedback) &&
    meetsChoices(head, label, where)
  );
}

function hasProperties(head: StoredAssessment, search: RelatedSearch): boolean {
  const { verdicts, reason, finding, scoreMin = 0, scoreMax = 100, from, to, below } = search;
  return (
    isSame(search.mode, head.mode) &&
    isSame(search.shadow, head.shadow) &&
    (verdicts === undefined || verdicts.includes(head.verdict)) &&
    isSame(search.letIn, head.shadow || head.verdict === 'allow') &&
    (reason === undefined || head.reasons.includes(reason)) &&
    (finding === undefined || mainDetectorOf(head.facts) === finding) &&
    head.score >= scoreMin &&
    head.score <= scoreMax &&
    isSame(search.domain, head.emailDomain) &&
    (below === undefined || head.emailDomain.endsWith(`.${below}`)) &&
    isSame(search.asn, head.asn) &&
    isSame(search.country, head.countryCode) &&
    isSame(search.keyId, head.keyId) &&
    (from === undefined || head.at >= from) &&
    (to === undefined || head.at < to)
  );
}

function isIdentified(head: StoredAssessment, search: RelatedSearch): boolean {
  const { ip } = search;
  return (
    isSame(search.sessionId, head.sessionId) &&
    isSame(search.requestId, head.requestId) &&
    isSame(search.network, head.network) &&
    isSame(search.mailbox, head.mailboxHash) &&
    isSame(search.address, head.addressHash) &&
    (ip === undefined || (head.ip !== null && isWithin(head.ip, ip)))
  );
}

function hasLabel(label: Label | null, feedback: RelatedSearch['feedback']): boolean {
  if (feedback === undefined) return true;
  if (feedback === 'none') return label === null;
  return feedback === 'any' ? label !== null : label === feedback;
}

function isSame<Value>(wanted: Value | undefined, value: Value): boolean {
  return wanted === undefined || wanted === value;
}
