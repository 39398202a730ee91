/** Sample assessments for the history suites, the same in each run, and a simple recount of what a search should find. */
import type { Label } from '../contract/dashboard-assessments.ts';
import type { FilterValues } from '../contract/filter-values.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { Verdict } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import type { GroupBy, HistoryChoices, HistorySearch } from './history-store.ts';
import type { AssessmentRecord, Feedback } from './store.ts';

export const DAY_MS = 86_400_000;
export const NOW = Date.UTC(2026, 4, 10, 10, 0, 0);
/** The middle of the time span of the samples. */
export const MIDDLE = NOW - DAY_MS;
export const REASONS: ReasonCode[] = ['email_alias', 'ip_hosting', 'ip_anonymizer', 'email_disposable'];
const IPS = [
  '203.0.113.7',
  '203.0.113.200',
  '203.0.114.1',
  '2001:db8::1',
  '2001:db8::2:ff',
  '2001:db8:0:1::ff',
  '::1:2:3',
  null,
];
const NETWORKS: Record<string, string> = {
  '2001:db8::1': '2001:db8::/64',
  '2001:db8::2:ff': '2001:db8::/64',
  '2001:db8:0:1::ff': '2001:db8:0:1::/64',
  '::1:2:3': '::/64',
};
const V4_BLOCK = { first: '203.0.112.0', last: '203.0.113.255' };
const V4_ADDRESS = { first: '203.0.113.7', last: '203.0.113.7' };
const V6_BLOCK = { first: '2001:db8::', last: '2001:db8::ffff:ffff:ffff:ffff' };
export const SESSIONS = ['plain', 'hard \u0000 " \ud800', null];

export interface SampleAssessment extends AssessmentRecord {
  readonly findings: readonly { detector: string; code: ReasonCode; weight: number; detail: string }[];
  readonly mailHost: string | null;
  readonly listEntry: string | null;
  readonly campaign: string | null;
  /** Detector of the main finding; empty: there is none. */
  readonly mainFinding: string;
}

export interface SampleOptions {
  readonly random: () => number;
  readonly makeId: MakeId;
  readonly accountId: string;
  readonly otherId: string;
  readonly keyIds: readonly string[];
}

/** Makes assessments of two accounts in sequence; `over` replaces members. */
export function createSampleMaker(
  options: SampleOptions,
): (over?: Partial<AssessmentRecord>) => SampleAssessment {
  const { random, makeId, accountId, otherId, keyIds } = options;
  const pick = createPick(random);
  return (over = {}) => {
    const at = NOW - Math.floor(random() * 3 * DAY_MS);
    const requestId = makeId('req', at);
    const findings = REASONS.filter(() => random() < 0.3).flatMap((code, index) => {
      const finding = { detector: code, code, weight: 4.9 + index * 10, detail: '' };
      return random() < 0.2 ? [finding, { ...finding, weight: 30.5 }] : [finding];
    });
    const reasons = [...new Set(findings.map(({ code }) => code))];
    const processedMs = Math.floor(random() ** 4 * 900);
    const ip = pick(IPS);
    const heaviestFirst = findings.toSorted((a, b) => b.weight - a.weight);
    const list = findings.length === 0 && random() < 0.5;
    const mailHost = pick([null, 'mx.a.example', 'mx2.a.example', 'xa.example', 'localhost']);
    const office = pick([null, null, 'lst_office']);
    const campaign = pick([null, 'wav_1', 'wav_11']);
    const facts = JSON.stringify([
      1,
      'said "],"evidence": so',
      requestId,
      30,
      60,
      heaviestFirst.flatMap(({ detector, weight, code }) => [detector, weight, reasons.indexOf(code)]),
      ...(mailHost === null ? [] : ['hosts', [mailHost, 'backup.example']]),
      ...(list ? ['list', ['lst_1', 'allow', 'domain', 'example.com', null]] : []),
      ...(office === null ? [] : ['office', [office, 'ip', 'said ","list",["lst_2"', null]]),
      ...(campaign === null ? [] : ['campaign', [campaign, 'range']]),
    ]);
    return {
      requestId,
      accountId: random() < 0.1 ? otherId : accountId,
      keyId: pick(keyIds),
      mode: random() < 0.2 ? 'test' : 'live',
      shadow: random() < 0.2,
      at,
      verdict: pick(['allow', 'challenge', 'block']),
      score: Math.floor(random() * 101),
      reasons,
      emailDomain: pick(['example.com', 'mail.example', 'xn--bcher-kva.example']),
      addressHash: 'address',
      mailboxHash: `mailbox-${Math.floor(random() * 50)}`,
      emailMasked: 'j***@example.com',
      email: random() < 0.5 ? 'jo@example.com' : null,
      ip,
      network: ip === null ? null : (NETWORKS[ip] ?? ip),
      countryCode: ip === null ? '' : pick(['FR', 'DE']),
      asn: ip === null ? 0 : pick([64_500, 64_501]),
      sessionId: pick(SESSIONS),
      facts,
      cap: null,
      claim: null,
      processedMs,
      weights: reasons.map((code) => combinedWeight(findings.filter((finding) => finding.code === code))),
      findings,
      mailHost,
      listEntry: list ? 'lst_1' : office,
      campaign,
      mainFinding: mainFindingOf(heaviestFirst, list),
      ...over,
    };
  };
}

function mainFindingOf([heaviest]: SampleAssessment['findings'], list: boolean): string {
  if (heaviest === undefined) return list ? 'allow_list' : '';
  return heaviest.weight >= 5 ? heaviest.detector : '';
}

/** The total weight of findings, 0 … 100. */
export function combinedWeight(findings: readonly { weight: number }[]): number {
  return 100 * (1 - findings.reduce((rest, { weight }) => rest * (1 - weight / 100), 1));
}

export function createPick(random: () => number): <T>(from: readonly T[]) => T {
  return (from) => from[Math.floor(random() * from.length)] as (typeof from)[number];
}

/** A search for each property, and some combinations. */
export function sampleSearches(keyId: string): HistorySearch[] {
  return [
    {},
    { mode: 'live' },
    { mode: 'test' },
    { shadow: true },
    { shadow: false, keyId },
    { shadow: true, verdicts: ['block'], keyId },
    { verdicts: ['block'] },
    { verdicts: ['challenge', 'block'], mode: 'live' },
    ...REASONS.map((reason) => ({ reason })),
    { reason: 'velocity_domain' },
    ...[...REASONS, 'allow_list', 'nothing', ''].map((finding) => ({ finding })),
    { finding: 'ip_hosting', verdicts: ['block'], country: 'DE' },
    { scoreMin: 90 },
    { letIn: true },
    { letIn: false, verdicts: ['block'] },
    { scoreMax: 10 },
    { scoreMin: 50, scoreMax: 50 },
    { domain: 'mail.example' },
    { domain: 'nowhere.example' },
    { ip: { first: '203.0.113.7', last: '203.0.113.7' } },
    { ip: { first: '203.0.113.128', last: '203.0.113.255' } },
    { ip: { first: '203.0.112.0', last: '203.0.115.255' } },
    { ip: { first: '2001:db8::', last: '2001:db8::ffff:ffff:ffff:ffff' } },
    { ip: { first: '::', last: '::1:2:3' } },
    { ip: { first: '2001:db8::1', last: '2001:db8::1' } },
    { asn: 64_501 },
    { country: 'FR' },
    { keyId },
    { from: MIDDLE },
    { to: MIDDLE },
    { from: MIDDLE, to: MIDDLE + 3_600_000 },
    { feedback: 'any' },
    { feedback: 'none' },
    { feedback: 'confirmed_fraud' },
    { feedback: 'false_positive', verdicts: ['block'] },
    { sessionId: 'hard \u0000 " \ud800' },
    { reason: 'ip_anonymizer', country: 'DE', mode: 'live', scoreMin: 20, from: MIDDLE },
    { mailbox: 'mailbox-7' },
    { verdicts: [] },
    { where: { reason: { any: ['email_alias', null], not: ['ip_hosting'] } } },
    { where: { finding: { any: ['ip_hosting', ''], not: [] } } },
    { where: { finding: { any: [], not: ['allow_list', 'email_alias', 'nothing'] } }, mode: 'live' },
    { where: { domain: { any: [{ domain: 'example', below: true }], not: [] } } },
    { domain: 'mail.example', where: { country: { any: [], not: ['FR', ''] } } },
    { where: { country: { any: ['', 'FR'], not: [] }, asn: { any: [], not: [64_501] } } },
    { where: { asn: { any: [0, 64_500], not: [] } } },
    { where: { keyId: { any: ['key_none', keyId], not: [] } } },
    { where: { ip: { any: [V4_BLOCK, null], not: [V4_ADDRESS] } } },
    { where: { ip: { any: [V4_BLOCK, V6_BLOCK], not: [] } } },
    { where: { ip: { any: [], not: [V6_BLOCK, null] } }, verdicts: ['block'] },
    { ip: V4_BLOCK, where: { ip: { any: [], not: [V4_ADDRESS] } } },
    { where: { sessionId: { any: [null, 'plain'], not: [] } } },
    { where: { sessionId: { any: ['plain', 'hard \u0000 " \ud800'], not: [] } }, mode: 'live' },
    { where: { sessionId: { any: [], not: ['plain'] } } },
    { where: { mailbox: { any: ['mailbox-1', 'mailbox-2', 'mailbox-none'], not: [] } } },
    { where: { mailHost: { any: ['a.example', 'localhost'], not: [] } } },
    { where: { mailHost: { any: [], not: ['mx.a.example', null] } } },
    { where: { listEntry: { any: ['lst_1'], not: [] } } },
    { where: { listEntry: { any: ['lst_office', 'lst_2'], not: [] } }, mode: 'live' },
    { where: { listEntry: { any: [], not: [null, 'lst_office'] } } },
    { where: { listEntry: { any: [null], not: [] }, campaign: { any: [], not: [null] } } },
    { where: { campaign: { any: ['wav_1', null], not: [] } } },
    { where: { mailbox: { any: [], not: ['mailbox-1', 'mailbox-2'] } } },
    { where: { feedback: { any: ['false_positive', 'confirmed_fraud'], not: [] } } },
    { where: { feedback: { any: ['false_positive', null], not: [] } } },
    { where: { feedback: { any: [], not: [null, 'false_negative'] } } },
  ];
}

/** Whether a search should find an assessment. */
export function matches(
  sample: SampleAssessment,
  search: HistorySearch,
  feedback: ReadonlyMap<string, Feedback>,
): boolean {
  const label = feedback.get(sample.requestId)?.outcome ?? 'none';
  const conditions: [unknown, boolean][] = [
    [search.mode, sample.mode === search.mode],
    [search.shadow, sample.shadow === search.shadow],
    [search.verdicts, search.verdicts?.includes(sample.verdict) === true],
    [search.reason, sample.reasons.includes(search.reason as ReasonCode)],
    [search.finding, sample.mainFinding === search.finding],
    [search.scoreMin, sample.score >= (search.scoreMin ?? 0)],
    [search.letIn, (sample.shadow || sample.verdict === 'allow') === search.letIn],
    [search.scoreMax, sample.score <= (search.scoreMax ?? 0)],
    [search.domain, sample.emailDomain === search.domain],
    [search.ip, sample.ip !== null && search.ip !== undefined && between(sample.ip, search.ip)],
    [search.asn, sample.asn === search.asn],
    [search.country, sample.countryCode === search.country],
    [search.keyId, sample.keyId === search.keyId],
    [search.from, sample.at >= (search.from ?? 0)],
    [search.to, sample.at < (search.to ?? 0)],
    [search.feedback, search.feedback === 'any' ? label !== 'none' : label === search.feedback],
    [search.sessionId, sample.sessionId === search.sessionId],
    [search.mailbox, sample.mailboxHash === search.mailbox],
    [search.where, isChosen(sample, label === 'none' ? null : label, search.where ?? {})],
  ];
  return conditions.every(([value, yes]) => value === undefined || yes);
}

function isChosen(sample: SampleAssessment, label: Label | null, where: HistoryChoices): boolean {
  const { reasons, emailDomain, ip, asn, countryCode, keyId, sessionId, mailboxHash, requestId, mailHost } =
    sample;
  const fits = <Value>(choice: FilterValues<Value> | undefined, has: (value: Value) => boolean) =>
    choice === undefined ||
    ((choice.any.length === 0 || choice.any.filter(has).length > 0) && choice.not.filter(has).length === 0);
  return (
    fits(where.reason, (code) => (code === null ? reasons.length === 0 : reasons.includes(code))) &&
    fits(where.finding, (finding) => sample.mainFinding === finding) &&
    fits(where.domain, ({ domain, below }) =>
      below ? `.${emailDomain}`.endsWith(`.${domain}`) : emailDomain === domain,
    ) &&
    fits(where.ip, (block) => (block === null ? ip === null : ip !== null && between(ip, block))) &&
    fits(where.asn, (value) => value === asn) &&
    fits(where.country, (value) => value === countryCode) &&
    fits(where.keyId, (value) => value === keyId) &&
    fits(where.sessionId, (value) => value === sessionId) &&
    fits(where.mailbox, (value) => value === mailboxHash) &&
    fits(where.mailHost, (value) =>
      value === null ? mailHost === null : `.${mailHost}`.endsWith(`.${value}`),
    ) &&
    fits(where.listEntry, (value) => value === sample.listEntry) &&
    fits(where.campaign, (value) => value === sample.campaign) &&
    fits(where.requestId, (value) => value === requestId) &&
    fits(where.feedback, (value) => value === label)
  );
}

function between(ip: string, { first, last }: { first: string; last: string }): boolean {
  if (ip.includes(':') !== first.includes(':')) return false;
  return numberOf(ip) >= numberOf(first) && numberOf(ip) <= numberOf(last);
}

function numberOf(ip: string): bigint {
  if (!ip.includes(':')) return BigInt(ip.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0));
  const [head = [], tail = []] = ip
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const groups = [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail];
  return groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

/** Random numbers that are equal in each run. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

/** How signups are grouped, and the value that a sample has. */
export const GROUP_VALUES: readonly [GroupBy, (sample: SampleAssessment) => string | null][] = [
  ['all', () => null],
  ['range', ({ ip, network }) => (ip?.includes(':') ? network : (ip?.replace(/[^.]+$/, '0/24') ?? null))],
  ['network', ({ asn }) => (asn === 0 ? null : `${asn}`)],
  ['domain', ({ emailDomain }) => emailDomain],
  ['finding', ({ mainFinding }) => mainFinding || null],
  ['mailbox', ({ mailboxHash }) => mailboxHash],
  ['mail_host', ({ mailHost }) => mailHost?.replace(/^mx2?\./, '') ?? null],
  ['session', ({ sessionId }) => sessionId],
  ['country', ({ countryCode }) => countryCode || null],
  ['key', ({ keyId }) => keyId],
  ['hour', ({ at }) => `${Math.floor(at / 3_600_000)}`],
  ['minute', ({ at }) => `${Math.floor(at / 60_000)}`],
];

export function countVerdicts(samples: readonly SampleAssessment[]) {
  const count = (verdict: Verdict) => samples.filter((sample) => sample.verdict === verdict).length;
  return { allow: count('allow'), challenge: count('challenge'), block: count('block') };
}
