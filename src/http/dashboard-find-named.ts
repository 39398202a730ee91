/** Finds what has a name that a person may type: countries, networks, domains, findings, list entries, waves, keys and people. */
import { domainToUnicode } from 'node:url';
import type { Directory } from '../accounts/directory.ts';
import { LIST_NAMES } from '../accounts/list-admin.ts';
import type { AssessmentFilter } from '../contract/dashboard-assessments.ts';
import type { FindKind } from '../contract/dashboard-find.ts';
import { DETECTOR_NAMES, DETECTORS } from '../contract/detectors.ts';
import { REASON_CODES, REASONS } from '../contract/reasons.ts';
import type { Campaign } from '../model/campaign.ts';
import type { ListEntry } from '../model/list-entry.ts';
import { countryName } from '../platform/country-names.ts';
import { describeCampaign } from '../signup/wave-words.ts';
import type { PeopleStore } from '../store/dashboard-store.ts';
import type { FindActivity } from './dashboard-find-activity.ts';
import { createMatchNames, type NameMatch } from './dashboard-find-match.ts';
import type { IntelligenceService } from './dashboard-intelligence-service.ts';

/** Something that the text may mean; its signups are not counted yet. */
export interface FindCandidate {
  readonly kind: FindKind;
  readonly id: string;
  readonly match: NameMatch;
  readonly title: string;
  readonly note: string;
  readonly filter: AssessmentFilter | null;
}

/** Names that people use, and the list does not have. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE'],
  CZ: ['Czech Republic'],
  GB: ['UK', 'Great Britain', 'England'],
  KR: ['Korea'],
  NL: ['Holland'],
  US: ['USA', 'America'],
};

/** Max. candidates of a kind: as many as are shown of all kinds. */
const MAX_OF_KIND = 12;
/** Max. networks that are looked for in signups older than those that are counted. */
const MAX_OTHER_NETWORKS = 4;

/** @param codes of all countries: to list them takes milliseconds */
export function findCountries(text: string, codes: readonly string[]): FindCandidate[] {
  return matching(text, codes, (code) => [countryName(code), code, ...(OTHER_NAMES[code] ?? [])]).map(
    ([code, match]) => ({
      kind: 'country',
      id: code,
      match,
      title: countryName(code),
      note: code,
      filter: { country: code },
    }),
  );
}

/** Networks of the account by their name. Where none has it, others: the account may have older signups from these. */
export function findNetworks(
  text: string,
  { asName, asesNamed }: Pick<IntelligenceService, 'asName' | 'asesNamed'>,
  { asns }: FindActivity,
): FindCandidate[] {
  const nameOf = (asn: number) => [asName(asn)];
  const active = matching(text, asns, nameOf);
  const others = asesNamed(text, active.length > 0 ? 0 : MAX_OTHER_NETWORKS).map(({ asn }) => asn);
  return [...active, ...matching(text, others, nameOf)].map(([asn, match]) =>
    // A name is no number: networks may share it.
    toNetwork(asn, asName(asn), Math.min(match, 2) as NameMatch),
  );
}

/** Domains of the account by the beginning of one of their labels. */
export function findDomains(text: string, { domains }: FindActivity): FindCandidate[] {
  // To convert a name takes longer than to compare it.
  const namesOf = (domain: string) =>
    domain.includes('xn--') ? [domain, domainToUnicode(domain)] : [domain];
  return matching(text, domains, namesOf).map(([domain, match]) => toDomain(domain, match));
}

/** A domain, alone, in the spelling that people read. */
export function toDomain(domain: string, match: NameMatch): FindCandidate {
  const title = domainToUnicode(domain) || domain;
  const note = title === domain ? 'Email domain' : `Email domain ${domain}`;
  return { kind: 'domain', id: domain, match, title, note, filter: { domain } };
}

export function toNetwork(asn: number, name: string, match: NameMatch): FindCandidate {
  const filter = { asn: `AS${asn}` };
  return { kind: 'network', id: String(asn), match, title: name || `AS${asn}`, note: `AS${asn}`, filter };
}

/** The main findings of signups, by their name or the id of the detector. */
export function findFindings(text: string): FindCandidate[] {
  return matching(text, DETECTOR_NAMES, (name) => [DETECTORS[name], name.replaceAll('_', ' '), name]).map(
    ([name, match]) => ({
      kind: 'finding',
      id: name,
      match,
      title: DETECTORS[name],
      note: 'Main finding',
      filter: { finding: name },
    }),
  );
}

/** Reasons of the API, by their code alone: pages speak of findings. */
export function findReasons(text: string): FindCandidate[] {
  if (!text.includes('_')) return [];
  return matching(text, REASON_CODES, (code) => [code]).map(([code, match]) => ({
    kind: 'reason',
    id: code,
    match,
    title: REASONS[code].label,
    note: `Reason ${code} of the API`,
    filter: { reason: code },
  }));
}

/** @param isMeant whether an entry is about exactly what was typed */
export function findEntries(
  text: string,
  entries: readonly ListEntry[],
  isMeant: (entry: ListEntry) => boolean,
): FindCandidate[] {
  const matchNames = createMatchNames(text);
  const matchOf = (entry: ListEntry) => (isMeant(entry) ? 3 : matchNames([entry.shown, entry.reason ?? '']));
  return bestOf(entries, matchOf).map(([entry, match]) => toEntry(entry, match));
}

function toEntry({ id, action, shown, reason, hits }: ListEntry, match: NameMatch): FindCandidate {
  const decided = wordsOfHits(action, hits);
  const note = [LIST_NAMES[action], reason, decided]
    .filter((part) => part !== null && part !== '')
    .join(' · ');
  return { kind: 'list_entry', id, match, title: shown, note, filter: null };
}

function wordsOfHits(action: ListEntry['action'], hits: number): string {
  const signups = hits === 1 ? '1 signup' : `${hits} signups`;
  if (action === 'office') return hits === 0 ? 'no signup came from it yet' : `${signups} came from it`;
  return hits === 0 ? 'has not decided any signup yet' : `decided ${signups}`;
}

export function findCampaigns(text: string, campaigns: readonly Campaign[]): FindCandidate[] {
  return matching(text, campaigns, (campaign) => [
    campaign.id,
    campaign.scopeText,
    describeCampaign(campaign),
  ]).map(([campaign, match]) => ({
    kind: 'campaign',
    id: campaign.id,
    match,
    title: headlineOf(describeCampaign(campaign)),
    note: `${campaign.state === 'open' ? 'Open wave' : 'Past wave'} · ${campaign.members} signups`,
    filter: null,
  }));
}

/** Summary of a wave without its odds. */
function headlineOf(summary: string): string {
  const [headline = ''] = summary.split('; ');
  return headline.charAt(0).toUpperCase() + headline.slice(1);
}

/** Finds keys by name, by their first characters, and by the whole secret. */
export function findKeys(text: string, keys: ReturnType<Directory['keysOf']>): FindCandidate[] {
  const matchNames = createMatchNames(text);
  const matchOf = ({ name, prefix, id }: (typeof keys)[number]) =>
    text.startsWith(prefix) ? 3 : matchNames([name, prefix, id]);
  return bestOf(keys, matchOf).map(([key, match]) => {
    const state = key.revokedAt === null ? '' : ' · revoked';
    const note = `${key.mode === 'live' ? 'Live' : 'Sandbox'} key ${key.prefix}…${state}`;
    return { kind: 'key', id: key.id, match, title: key.name, note, filter: { key: key.id } };
  });
}

/** The people of an account. */
export async function findPeople(
  text: string,
  accountId: string,
  store: Pick<PeopleStore, 'users' | 'memberships'>,
): Promise<FindCandidate[]> {
  const [users, memberships] = await Promise.all([store.users(), store.memberships({ accountId })]);
  const roles = new Map(memberships.map(({ userId, role }) => [userId, role]));
  const own = users.filter(({ id }) => roles.has(id));
  return matching(text, own, ({ name, email }) => [name, email]).map(([{ id, name, email }, match]) => ({
    kind: 'person',
    id,
    match,
    title: name || email,
    note: `${email} · ${roles.get(id)}`,
    filter: null,
  }));
}

function matching<Value>(
  text: string,
  values: readonly Value[],
  namesOf: (value: Value) => readonly string[],
): (readonly [Value, NameMatch])[] {
  const matchNames = createMatchNames(text);
  return bestOf(values, (value) => matchNames(namesOf(value)));
}

/** The values that match best, the best first. */
function bestOf<Value>(
  values: readonly Value[],
  matchOf: (value: Value) => NameMatch,
): (readonly [Value, NameMatch])[] {
  return values
    .map((value) => [value, matchOf(value)] as const)
    .filter(([, match]) => match > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_OF_KIND);
}
