/** Says a finding in a few words, with the fact behind it: a table has room for these, and for no sentence. */
import { labelOfDetector } from '../contract/detectors.ts';
import type { Evidence } from '../model/evidence.ts';
import type { ListMatch } from '../model/list-entry.ts';
import { MAX_MAILBOX_ADDRESSES } from '../model/mailbox-address.ts';
import { ALLOW_LIST, DENY_LIST } from '../model/main-finding.ts';
import { placeOfWave } from './wave-words.ts';

type Title = (evidence: Evidence, label: string) => string;

const ofWave: Title = ({ campaign }, label) => (campaign === null ? label : `Wave ${placeOfWave(campaign)}`);
const ofList: Title = ({ list }, label) => withFact(label, list === null ? '' : factOfEntry(list));

const TITLES: Readonly<Record<string, Title>> = {
  disposable_mx: ({ email: { disposableHost: host } }, label) => withFact(label, host.matched || host.name),
  typing_mistake: ({ email }, label) =>
    email.providerMeant === '' ? label : `${label} of ${email.providerMeant}`,
  new_domain: ({ email: { age } }, label) =>
    withFact(label, age.days === 0 ? 'today' : age.days === 1 ? '1 day old' : `${age.days} days old`),
  ip_abuse: ({ ip }, label) => (ip === null ? label : `IP with abuse score ${ip.abuseScore}`),
  wave_email: ofWave,
  wave_domain: ofWave,
  wave_network: ofWave,
  wave_address: ofWave,
  ip_burst: ({ velocity: { ip1h, ipMailboxes1h: people } }) =>
    people > 1 ? `${people} people from one IP in an hour` : `${ip1h} attempts from one IP in an hour`,
  domain_burst: ({ velocity }) => `${velocity.domain1h} addresses of one domain in an hour`,
  mailbox_farm: ({ velocity }) => `One mailbox, ${velocity.mailbox24h} spellings`,
  mailbox_months: ({ velocity: { mailbox90d: all, mailboxDays: days } }) =>
    `One mailbox, ${all > MAX_MAILBOX_ADDRESSES ? `over ${MAX_MAILBOX_ADDRESSES}` : all} addresses in ${days} days`,
  [DENY_LIST]: ofList,
  [ALLOW_LIST]: ofList,
};

/** `One mailbox, 27 spellings`; without such a fact the name of the detector. */
export function titleOfFinding(detector: string, evidence: Evidence): string {
  const label = labelOfDetector(detector);
  return TITLES[detector]?.(evidence, label) ?? label;
}

function withFact(label: string, fact: string): string {
  return fact === '' ? label : `${label}: ${fact}`;
}

/** The operator's words say more than the value, which stands beside it in the signup. */
function factOfEntry({ reason, value }: ListMatch): string {
  return reason === null || reason === '' ? value : reason;
}
