/** Facts that a case of a policy file may state about a signup, because nobody looks them up during a test: DNS, registries, feeds and counters. */
import {
  type EmailEvidence,
  type IpEvidence,
  MX_STATUSES,
  type MxStatus,
  type VelocityEvidence,
} from '../../model/evidence.ts';
import { isCountry } from '../../platform/country-names.ts';
import type { YamlPlace } from './yaml-place.ts';

/** Facts by the part of the evidence that they are in. `mx` and `ageDays` are answers of sources, from which more follows. */
export interface CaseEvidence {
  readonly mx?: MxStatus;
  readonly ageDays?: number;
  readonly email: Partial<EmailEvidence>;
  readonly ip: Partial<IpEvidence>;
  readonly velocity: Partial<VelocityEvidence>;
}

export const NO_EVIDENCE: CaseEvidence = { email: {}, ip: {}, velocity: {} };

type Read = (at: YamlPlace, name: string) => Partial<CaseEvidence>;

const MAX_DAYS = 100_000;
const MAX_COUNT = 100_000;
const HIGHEST_ASN = 4_294_967_295;

const emailFlag =
  (member: 'disposable' | 'spam' | 'relay' | 'consumer' | 'role'): Read =>
  (at, name) => ({ email: { [member]: at.flag(name) } });
const ipFlag =
  (member: 'tor' | 'vpn' | 'proxy' | 'relay' | 'datacenter'): Read =>
  (at, name) => ({ ip: { [member]: at.flag(name) } });
const count =
  (...members: readonly (keyof VelocityEvidence)[]): Read =>
  (at, name) => {
    const value = wholeNumber(at, name, MAX_COUNT);
    return { velocity: Object.fromEntries(members.map((member) => [member, value])) };
  };

const FACTS: Readonly<Record<string, Read>> = {
  mx(at, name) {
    const status = at.text(name);
    const known = MX_STATUSES.find((each) => each === status);
    return { mx: known ?? at.fail(`${name} must be ${MX_STATUSES.join(', ')}.`) };
  },
  domain_age_days: (at, name) => ({ ageDays: wholeNumber(at, name, MAX_DAYS) }),
  disposable: emailFlag('disposable'),
  spam: emailFlag('spam'),
  mail_relay: emailFlag('relay'),
  free_mail: emailFlag('consumer'),
  role: emailFlag('role'),
  tor: ipFlag('tor'),
  vpn: ipFlag('vpn'),
  proxy: ipFlag('proxy'),
  privacy_relay: ipFlag('relay'),
  hosting: ipFlag('datacenter'),
  abuse_score: (at, name) => ({ ip: { abuseScore: wholeNumber(at, name, 100) } }),
  country(at, name) {
    const code = at.text(name).toUpperCase();
    return {
      ip: { countryCode: isCountry(code) ? code : at.fail(`${name} must be an ISO 3166-1 code such as FR.`) },
    };
  },
  asn: (at, name) => ({ ip: { asn: wholeNumber(at, name, HIGHEST_ASN) } }),
  signups_from_ip_1h: count('ip1h', 'ip24h', 'ipMailboxes1h'),
  signups_of_domain_1h: count('domain1h', 'domain24h', 'domainVoices1h'),
  addresses_of_mailbox_24h: count('mailbox24h', 'mailboxVoices24h'),
};

export const CASE_FACTS: readonly string[] = Object.keys(FACTS);
const WHAT = 'evidence';

/** @param hasIp whether the case has an IP address, which some facts are about */
export function readCaseEvidence(at: YamlPlace, hasIp: boolean): CaseEvidence {
  let { mx, ageDays, email, ip, velocity }: CaseEvidence = NO_EVIDENCE;
  for (const [name, value] of at.members(WHAT, CASE_FACTS)) {
    const read = (FACTS[name] as Read)(value, name);
    if ((read.ip !== undefined || name === 'signups_from_ip_1h') && !hasIp)
      value.fail(`${name} is about an IP address, and the case has none: add ip.`);
    mx = read.mx ?? mx;
    ageDays = read.ageDays ?? ageDays;
    email = { ...email, ...read.email };
    ip = { ...ip, ...read.ip };
    velocity = { ...velocity, ...read.velocity };
  }
  return {
    ...(mx !== undefined && { mx }),
    ...(ageDays !== undefined && { ageDays }),
    email,
    ip,
    velocity,
  };
}

function wholeNumber(at: YamlPlace, name: string, max: number): number {
  const value = at.number(name, 0, max);
  return Number.isInteger(value) ? value : at.fail(`${name} must be a whole number.`);
}
