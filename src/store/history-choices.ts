/** Decides whether an assessment has one of several values, and none of others; the same as the conditions in SQL do. */
import type { Label } from '../contract/dashboard-assessments.ts';
import type { FilterValues } from '../contract/filter-values.ts';
import { hasCampaign, hasListEntry } from '../model/fact-ids.ts';
import { mailHostOf } from '../model/mail-host.ts';
import { mainDetectorOf } from '../model/main-finding.ts';
import { isWithin } from './history-search.ts';
import type { ChosenValues, HistoryChoices } from './history-store.ts';
import type { StoredAssessment } from './stored-assessment.ts';

type Has<Value> = (head: StoredAssessment, label: Label | null, value: Value) => boolean;

const HAS: { readonly [Name in keyof ChosenValues]: Has<ChosenValues[Name]> } = {
  reason: ({ reasons }, _, reason) => (reason === null ? reasons.length === 0 : reasons.includes(reason)),
  finding: ({ facts }, _, finding) => mainDetectorOf(facts) === finding,
  domain: ({ emailDomain }, _, { domain, below }) =>
    emailDomain === domain || (below && emailDomain.endsWith(`.${domain}`)),
  ip: ({ ip }, _, block) => (ip === null || block === null ? ip === block : isWithin(ip, block)),
  asn: (head, _, asn) => head.asn === asn,
  country: ({ countryCode }, _, country) => countryCode === country,
  keyId: (head, _, keyId) => head.keyId === keyId,
  sessionId: (head, _, sessionId) => head.sessionId === sessionId,
  mailbox: ({ mailboxHash }, _, mailbox) => mailboxHash === mailbox,
  mailHost({ facts }, _, name) {
    const host = mailHostOf(facts);
    return host === null || name === null ? host === name : `.${host}`.endsWith(`.${name}`);
  },
  listEntry: ({ facts }, _, id) => hasListEntry(facts, id),
  campaign: ({ facts }, _, id) => hasCampaign(facts, id),
  requestId: (head, _, requestId) => head.requestId === requestId,
  feedback: (_, label, value) => label === value,
};

/** @param label the reported outcome */
export function meetsChoices(head: StoredAssessment, label: Label | null, choices: HistoryChoices): boolean {
  return namesOf(choices).every((name) => {
    const has = HAS[name] as Has<unknown>;
    return chooses<unknown>(choices[name], (value) => has(head, label, value));
  });
}

/** Whether something that has some values is chosen. */
export function chooses<Value>(
  choice: FilterValues<Value> | undefined,
  has: (value: Value) => boolean,
): boolean {
  if (choice === undefined) return true;
  return (choice.any.length === 0 || choice.any.some(has)) && !choice.not.some(has);
}

export function namesOf(choices: HistoryChoices): (keyof ChosenValues)[] {
  return Object.keys(choices) as (keyof ChosenValues)[];
}
