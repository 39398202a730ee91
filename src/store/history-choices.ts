/** Decides whether an assessment has one of several values, and none of others; the same as the conditions in SQL do. */
import type { Label } from '../contract/dashboard-assessments.ts';
import type { FilterValues } from '../contract/filter-values.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import { mainDetectorOf } from '../model/main-finding.ts';
import type { AddressBlock } from './history-search.ts';
import { isWithin } from './history-search.ts';
import type { StoredAssessment } from './stored-assessment.ts';

/** Properties that a search may choose several values of, and leave values out; `null`: the absence of a value. */
export interface ChosenValues {
  /** An assessment may have several. */
  readonly reason: ReasonCode | null;
  /** Detector of the main finding; empty: there is none. */
  readonly finding: string;
  readonly domain: DomainScope;
  readonly ip: AddressBlock | null;
  /** 0: unknown. */
  readonly asn: number;
  /** Upper case; empty: unknown. */
  readonly country: string;
  readonly keyId: string;
  readonly sessionId: string | null;
  /** Keyed hash. */
  readonly mailbox: string;
  readonly requestId: string;
  readonly feedback: Label | null;
}

export type HistoryChoices = { readonly [Name in keyof ChosenValues]?: FilterValues<ChosenValues[Name]> };

export interface DomainScope {
  /** Lower case, A-labels. */
  readonly domain: string;
  /** Names below it belong to it, too. */
  readonly below: boolean;
}

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
