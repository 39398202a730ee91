/** The weight of each finding and its rationale: one row per detector. How bursts grow is in `bursts.ts`. */
import { GENERATED_ODDS } from '../address/name-model.ts';
import type { Evidence } from '../model/evidence.ts';
import type { WeightSet } from '../model/policy.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import {
  burstApplies,
  describeDomainBurst,
  describeIpBurst,
  describeMailboxFarm,
  describeMailboxMonths,
  isSharedBurst,
  isSharedPlace,
  monthsApply,
  weighDomainBurst,
  weighIpBurst,
  weighMailboxFarm,
  weighMailboxMonths,
} from './bursts.ts';
import { describeDispute } from './dispute-words.ts';
import { type FindingKind, type Rule, type RuleRow, toRule } from './rule.ts';
import { describeWave } from './wave-words.ts';
import { waveApplies, weighWave } from './waves.ts';

const NEW_DOMAIN_DAYS = 30;
const VERY_NEW_DOMAIN_DAYS = 7;
const ABUSE_FLOOR = 25;
/** Points at most, whatever weight an account sets: one name proves nothing. */
const MAX_NAME_WEIGHT = 12;
/** Odds that one person in ten thousand exceeds. */
const SURELY_GENERATED_ODDS = 12;

const anonymized = ({ ip }: Evidence) => ip !== null && (ip.tor || ip.vpn || ip.proxy || ip.relay);
const mistyped = ({ email }: Evidence) => email.providerMeant !== '';
/** Findings about a mistyped domain say nothing about a person who probably meant another domain. */
const asTyped = (applies: Rule['applies']) => (evidence: Evidence) =>
  !mistyped(evidence) && applies(evidence);
const nameHost = ({ name, matched, serves }: Evidence['email']['disposableHost']) => {
  if (serves === 0) return `${name}, which belongs to the listed disposable domain ${matched}`;
  const through = matched === name ? '' : ` (${matched})`;
  return `${name}${through}, which serves ${serves} listed disposable ${serves === 1 ? 'domain' : 'domains'}`;
};
/** Its age and its mail host speak against one list. */
const established = ({ email }: Evidence) => email.hits.some(({ fact }) => fact === 'established');
const paidFor = ({ email }: Evidence) => email.hits.some(({ source }) => source === 'paid-mail-host');
/** Only a list in the snapshot, which may be old: a DNSBL was asked just now. */
const onOneOldSpamList = ({ email }: Evidence) => {
  const listings = email.hits.filter(({ fact }) => fact === 'spam');
  return listings.length === 1 && !listings.some(({ source }) => source.startsWith('dnsbl:'));
};

const ROWS: readonly RuleRow[] = [
  {
    detector: 'disposable_domain',
    code: 'email_disposable',
    weight: 85,
    listedBy: { part: 'email', category: 'disposable' },
    rationale:
      'Nobody keeps an account at a disposable address. Alone it blocks; with Tor the score is above 90.',
    applies: asTyped(({ email }) => email.disposable),
    detail: ({ email }) => `${email.domain} is on a list of disposable domains`,
  },
  {
    detector: 'disposable_disputed',
    code: 'email_reputation',
    weight: 40,
    listedBy: { part: 'email', category: 'disposable' },
    rationale:
      'A list contains it, but there are reasons against the listing. So it is only challenged: with the other findings it raises the score to 59 at most. Half if the domain is years old and its mailboxes cost money.',
    maxScore: DEFAULT_THRESHOLDS.block - 1,
    applies: asTyped(({ email }) => email.disposableDisputed),
    weigh: (base, evidence) => (paidFor(evidence) ? base / 2 : base),
    detail: ({ email }) => describeDispute(email),
  },
  {
    detector: 'disposable_mx',
    code: 'email_disposable',
    weight: 55,
    listedBy: { part: 'email', category: 'disposable' },
    rationale:
      'Its mail goes to the same server as the mail of listed disposable domains. This is an inference, so alone it challenges: its weight is at most 59.',
    limit: DEFAULT_THRESHOLDS.block - 1,
    applies: asTyped(({ email }) => !email.disposable && email.disposableHost.name !== ''),
    detail: ({ email }) => `its mail is handled by ${nameHost(email.disposableHost)}`,
  },
  {
    detector: 'no_domain',
    code: 'email_deliverability',
    weight: 70,
    rationale: 'The domain does not exist, so no mail can ever confirm the account. Alone it blocks.',
    applies: asTyped(({ email }) => email.mx.status === 'no_domain'),
    detail: ({ email }) => `the domain ${email.domain} does not exist`,
  },
  {
    detector: 'null_mx',
    code: 'email_deliverability',
    weight: 50,
    rationale: 'The owner declares that the domain takes no mail. A typing mistake is still possible.',
    applies: asTyped(({ email }) => email.mx.status === 'null_mx'),
    detail: ({ email }) => `${email.domain} declares that it takes no mail (null MX)`,
  },
  {
    detector: 'no_mx',
    code: 'email_deliverability',
    weight: 42,
    rationale:
      'Mail is very unlikely to arrive, but some old hosts take mail without an MX. Alone it challenges.',
    applies: asTyped(({ email }) => email.mx.status === 'none'),
    detail: ({ email }) => `${email.domain} has no usable mail exchange`,
  },
  {
    detector: 'mx_unanswered',
    kind: 'neutral',
    code: 'email_deliverability',
    weight: 10,
    rationale:
      'DNS answers for other domains, but not for this one: its name servers fail or do not answer. It may be a short outage, so it adds few points.',
    applies: asTyped(({ email }) => email.mx.unanswered === true),
    detail: ({ email }) =>
      `the name servers of ${email.domain} give no usable answer, while DNS answers for others`,
  },
  {
    detector: 'typing_mistake',
    kind: 'neutral',
    code: 'email_deliverability',
    weight: 45,
    rationale:
      'Mail would go to the wrong domain, so ask the person. This replaces every finding about the domain as typed.',
    applies: mistyped,
    detail: ({ email }) => `${email.domain} is probably a typing mistake of ${email.providerMeant}`,
  },
  {
    detector: 'spam_domain',
    code: 'email_reputation',
    weight: 50,
    listedBy: { part: 'email', category: 'spam' },
    rationale:
      'Domains get on such a list by abuse, but may have a new owner since. Alone it challenges. Half if one list names a domain that is years old and has good mail hosts.',
    applies: asTyped(({ email }) => email.spam),
    weigh: (base, evidence) => (established(evidence) && onOneOldSpamList(evidence) ? base / 2 : base),
    detail: ({ email }) => `${email.domain} is listed for spam or abuse`,
  },
  {
    detector: 'new_domain',
    code: 'email_domain_new',
    weight: 28,
    rationale: 'New domains are used for abuse, and by new companies. More points in the first week.',
    applies: asTyped(({ email }) => email.age.days >= 0 && email.age.days < NEW_DOMAIN_DAYS),
    weigh: (base, { email }) => (email.age.days < VERY_NEW_DOMAIN_DAYS ? base + 6 : base),
    detail: ({ email }) =>
      email.age.days === 0
        ? 'domain registered today'
        : `domain registered ${email.age.days} ${email.age.days === 1 ? 'day' : 'days'} ago`,
  },
  {
    detector: 'relay_domain',
    kind: 'neutral',
    code: 'email_relay',
    weight: 12,
    listedBy: { part: 'email', category: 'relay' },
    rationale: 'Careful people hide their address too, and mail still reaches them through the relay.',
    applies: ({ email }) => email.relay,
    detail: ({ email }) => `${email.domain} forwards mail for its users`,
  },
  {
    detector: 'role_account',
    kind: 'neutral',
    code: 'email_role_account',
    weight: 8,
    rationale: 'Few people sign up with a shared mailbox, but small companies do.',
    applies: ({ email }) => email.role,
    detail: () => 'the address is a role such as admin or support, not a person',
  },
  {
    detector: 'sms_gateway',
    kind: 'neutral',
    code: 'email_reputation',
    weight: 8,
    listedBy: { part: 'email', category: 'sms_gateway' },
    rationale:
      'Mail to it becomes a text message on somebody’s phone, where no confirmation can be read. One alone is allowed, with the advice to send no mail; several are a wave.',
    applies: ({ email }) => email.victim === 'gateway',
    detail: ({ email }) => `${email.domain} turns mail into text messages on a phone`,
  },
  {
    detector: 'plus_alias',
    kind: 'neutral',
    code: 'email_alias',
    weight: 6,
    rationale:
      'Most people who use a tag are honest: it sorts their mail. The count per mailbox finds farms.',
    applies: ({ email }) => email.alias,
    detail: () => 'the address has a “+” tag',
  },
  {
    detector: 'generated_name',
    kind: 'hint',
    code: 'email_reputation',
    weight: 8,
    rationale:
      'One person in a thousand has such a name, so it proves nothing: 12 points at most, and without a finding that accuses no verdict changes.',
    limit: MAX_NAME_WEIGHT,
    // A domain that strangers share makes up names for them.
    applies: ({ email }) => !email.strangers && email.name.odds > GENERATED_ODDS,
    weigh: (base, { email }) => (email.name.odds > SURELY_GENERATED_ODDS ? base * 1.5 : base),
    detail: () =>
      'the part before the “@” looks generated: people rarely choose letters and digits in such an order',
  },
  {
    detector: 'consumer_provider',
    kind: 'neutral',
    code: 'email_consumer_provider',
    weight: 1,
    listedBy: { part: 'email', category: 'consumer' },
    rationale:
      'Most honest people use free mail. Reported for business products, adds almost nothing and never changes a verdict.',
    applies: ({ email }) => email.consumer,
    weigh: (base, evidence) => (base <= 1 && isSharedBurst(evidence) ? base / 2 : base),
    detail: ({ email }) => `${email.domain} is a free mail provider`,
  },
  {
    detector: 'tor_exit',
    code: 'ip_anonymizer',
    weight: 48,
    listedBy: { part: 'ip', category: 'tor' },
    rationale: 'Few customers and many abusers use Tor. Alone it challenges.',
    applies: ({ ip }) => ip?.tor === true,
    detail: ({ ip }) => `${ip?.address} is a Tor exit`,
  },
  {
    detector: 'vpn',
    code: 'ip_anonymizer',
    weight: 28,
    listedBy: { part: 'ip', category: 'vpn' },
    rationale: 'Ordinary people use VPNs. A Tor exit that is also listed as a VPN counts only once.',
    applies: ({ ip }) => ip?.vpn === true && !ip.tor,
    detail: ({ ip }) => `${ip?.address} is a VPN endpoint`,
  },
  {
    detector: 'proxy',
    code: 'ip_anonymizer',
    weight: 32,
    listedBy: { part: 'ip', category: 'proxy' },
    rationale:
      'Open proxies are often hacked machines of other people. With Tor or a VPN it counts only once.',
    applies: ({ ip }) => ip?.proxy === true && !ip.tor && !ip.vpn,
    detail: ({ ip }) => `${ip?.address} is an anonymous proxy`,
  },
  {
    detector: 'privacy_relay',
    kind: 'neutral',
    code: 'ip_anonymizer',
    weight: 8,
    listedBy: { part: 'ip', category: 'relay' },
    rationale: 'Its users are paying subscribers of a known company, and the IP still shows their region.',
    applies: ({ ip }) => ip?.relay === true && !ip.tor && !ip.vpn && !ip.proxy,
    detail: ({ ip }) => `${ip?.address} is a privacy relay`,
  },
  {
    detector: 'hosting',
    code: 'ip_hosting',
    weight: 28,
    listedBy: { part: 'ip', category: 'datacenter' },
    rationale:
      'People do not sign up from datacenters. If an anonymizer or a shared place already explains it, it adds little.',
    applies: ({ ip }) => ip?.datacenter === true,
    weigh: (base, evidence) => (anonymized(evidence) || isSharedPlace(evidence) ? Math.min(base, 6) : base),
    detail: ({ ip }) => `${ip?.address} belongs to a hosting network (AS${ip?.asn})`,
  },
  {
    detector: 'ip_abuse',
    code: 'ip_reputation',
    weight: 55,
    listedBy: { part: 'ip', category: 'abuse' },
    rationale:
      'The points grow with the abuse score. Several blocklists only challenge, because addresses are shared and change.',
    applies: ({ ip }) => ip !== null && ip.abuseScore >= ABUSE_FLOOR,
    weigh: (base, { ip }) => (base * (ip?.abuseScore ?? 0)) / 100,
    detail: ({ ip }) => `${ip?.address} has an abuse score of ${ip?.abuseScore}`,
  },
  {
    detector: 'wave_email',
    code: 'email_reputation',
    weight: 40,
    rationale:
      'It belongs to a wave whose addresses have something in common that chance does not explain. Alone it challenges; a sure wave weighs 75.',
    applies: waveApplies('wave_email'),
    weigh: weighWave,
    detail: describeWave,
  },
  {
    detector: 'wave_domain',
    code: 'velocity_domain',
    weight: 40,
    rationale: 'It belongs to a wave at its domain or mailbox. Alone it challenges; a sure wave weighs 75.',
    applies: waveApplies('wave_domain'),
    weigh: weighWave,
    detail: describeWave,
  },
  {
    detector: 'wave_network',
    code: 'ip_reputation',
    weight: 40,
    rationale:
      'It belongs to a wave from its range of addresses or its network operator. Alone it challenges; a sure wave weighs 75.',
    applies: waveApplies('wave_network'),
    weigh: weighWave,
    detail: describeWave,
  },
  {
    detector: 'wave_address',
    code: 'velocity_ip',
    weight: 40,
    rationale: 'It belongs to a wave from its address. Alone it challenges; a sure wave weighs 75.',
    applies: waveApplies('wave_address'),
    weigh: weighWave,
    detail: describeWave,
  },
  {
    detector: 'ip_burst',
    kind: 'burst',
    code: 'velocity_ip',
    weight: 20,
    rationale:
      'People share addresses: offices, schools, mobile networks. About 20 people in an hour are challenged; without another reason nobody is blocked.',
    applies: burstApplies('ip1h'),
    weigh: weighIpBurst,
    detail: describeIpBurst,
  },
  {
    detector: 'domain_burst',
    kind: 'burst',
    code: 'velocity_domain',
    weight: 20,
    rationale:
      'Colleagues sign up together. What counts is from how many networks; a domain with a good reputation is not challenged for it.',
    applies: burstApplies('domain1h'),
    weigh: weighDomainBurst,
    detail: describeDomainBurst,
  },
  {
    detector: 'mailbox_farm',
    kind: 'burst',
    code: 'velocity_domain',
    weight: 25,
    rationale:
      'A mailbox that opens a third account in a day uses different spellings to hide. Others can make up spellings, so alone it challenges.',
    applies: burstApplies('mailboxVoices24h'),
    weigh: weighMailboxFarm,
    detail: describeMailboxFarm,
  },
  {
    detector: 'mailbox_months',
    kind: 'burst',
    code: 'velocity_domain',
    weight: 10,
    rationale:
      'A person who sorts mail by tags has a few addresses of one mailbox in months; who comes back for one account after the other has many. From the sixth on it challenges, alone it never blocks.',
    applies: monthsApply,
    weigh: weighMailboxMonths,
    detail: describeMailboxMonths,
  },
];

export const RULES: readonly Rule[] = ROWS.map(toRule);

export const DEFAULT_POLICY: WeightSet = {
  version: 'default-2',
  weights: Object.fromEntries(RULES.map(({ detector, weight }) => [detector, weight])),
};

const KINDS = new Map(RULES.map(({ detector, kind }) => [detector, kind]));

/** Kind of the detector's findings; one that this version lacks accuses. */
export function kindOf(detector: string): FindingKind {
  return KINDS.get(detector) ?? 'accusation';
}
