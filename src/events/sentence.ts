/** Says an event in one English sentence, with where to look: for Slack and for e-mail. */
import type { EventMessage } from '../model/event.ts';

export interface EventSentence {
  readonly sentence: string;
  /** Path of the dashboard that shows it, from the root. */
  readonly path: string;
}

type Data = Readonly<Record<string, unknown>>;
/** @returns the path below the account */
type Say = (data: Data, object: string) => EventSentence;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown, noun: string): string =>
  `${Number(value ?? 0).toLocaleString('en')} ${noun}${value === 1 ? '' : 's'}`;
const place = ({ place: name, scope }: Data): string => text(name) || text(scope).replaceAll('_', ' ');
const campaign = (object: string) => `campaigns/${encodeURIComponent(object)}`;
const signup = (object: string) => `assessments/${encodeURIComponent(object)}`;
const alert = (object: string) => `alerts/${encodeURIComponent(object)}`;
const outcomes: Readonly<Record<string, string>> = {
  false_positive: 'a good customer was stopped',
  false_negative: 'fraud was let in',
  confirmed_fraud: 'it was right to stop this signup',
  appeal: 'the person who was stopped wrote about it',
};
const verdicts: Readonly<Record<string, string>> = {
  allow: 'allowed',
  challenge: 'challenged',
  block: 'blocked',
};
const KIND_WORDS: Readonly<Record<string, string>> = {
  address: 'an address',
  mailbox: 'a mailbox',
  ip: 'an IP',
  domain_network: 'a domain at one network',
};

const SENTENCES: Readonly<Record<string, Say>> = {
  'signup.assessed': (data, object) => ({
    sentence: `A signup was ${verdicts[text(data.verdict)] ?? 'assessed'} with score ${data.score}: ${reasonsOf(data)}.`,
    path: signup(object),
  }),
  'campaign.opened': (data, object) => ({
    sentence: `A wave of signups began at ${place(data)}: ${count(data.members, 'signup')} so far, ${data.let_in} of them let in.`,
    path: campaign(object),
  }),
  'campaign.grew': (data, object) => ({
    sentence: `The wave of signups at ${place(data)} has grown to ${count(data.members, 'signup')}, ${data.let_in} of them let in.`,
    path: campaign(object),
  }),
  'campaign.ended': (data, object) => ({
    sentence: `The wave of signups at ${place(data)} ended with ${count(data.members, 'signup')}, ${data.let_in} of them let in.`,
    path: campaign(object),
  }),
  'alert.opened': (data, object) => ({
    sentence: alertText(data, 'Something is unusual'),
    path: alert(object),
  }),
  'alert.closed': (data, object) => ({
    sentence: `This alert is over: ${alertText(data, 'something was unusual')}`,
    path: alert(object),
  }),
  'recall.found': (data) => ({
    sentence: text(data.text) || 'Signups that got in before would not come in now.',
    path: 'recall',
  }),
  'feedback.created': (data, object) => ({
    sentence: `A signup was reported${by(data)}: ${outcomes[text(data.outcome)] ?? text(data.outcome)}.`,
    path: signup(object),
  }),
  'list.changed': (data) => ({
    sentence: `An entry of your lists was ${text(data.change)}: ${text(data.action)} ${text(data.value) || (KIND_WORDS[text(data.kind)] ?? text(data.kind))}${by(data)}.`,
    path: 'lists',
  }),
  'key.changed': (data) => ({
    sentence: `The key ${text(data.name)} (${text(data.prefix)}…) was ${text(data.change)}${by(data)}.`,
    path: 'keys',
  }),
  'takeback.accounts': (data, object) => ({
    sentence: `${count(listOf(data.accounts).length, 'account')} of people who got in ${partOf(data)}: ${text(data.name)}.`,
    path: `takeback/${encodeURIComponent(object)}`,
  }),
  digest: (data) => ({
    sentence: `${count(data.count, 'thing')} ${data.count === 1 ? 'needs' : 'need'} you.`,
    path: 'today',
  }),
  test: () => ({ sentence: 'This is a test: Gatehouse can reach you here.', path: 'notifications' }),
};

export function sayEvent({ type, data, object, account_id: account }: EventMessage): EventSentence {
  const { sentence, path } = SENTENCES[type]?.(data, object) ?? {
    sentence: `Something happened: ${type}.`,
    path: 'today',
  };
  return { sentence, path: accountPath(account, path) };
}

/** Path of a page of an account, from the root. */
export function accountPath(account: string, path: string): string {
  return `/accounts/${account}/${path}`;
}

function by(data: Data): string {
  return text(data.actor) === '' ? '' : ` by ${text(data.actor)}`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function partOf({ part, parts }: Data): string {
  const one = 'are to be taken back';
  return parts === 1 ? one : `${one} (part ${part} of ${parts})`;
}

/** Alerts bring their own words. */
function alertText(data: Data, otherwise: string): string {
  return text(data.text) || `${otherwise}.`;
}

function reasonsOf({ reasons }: Data): string {
  const codes = Array.isArray(reasons) ? reasons.map((reason: Data) => text(reason.code)) : [];
  return codes.length === 0 ? 'no findings' : codes.join(', ').replaceAll('_', ' ');
}
