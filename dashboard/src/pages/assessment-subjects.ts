/** The values of an assessment that can be put on a list, from the narrowest to the widest. */
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';

export interface ListedSubject {
  readonly words: string;
  readonly shown: string;
  /** Value as the lists accept it; empty if the history does not store it and a person must type it. */
  readonly value: string;
  readonly hint?: string;
}

export function subjectsOf({ email, domain, ip, asn, country_code }: AssessmentRow): ListedSubject[] {
  const range = ip === null ? undefined : rangeOf(ip);
  return [
    addressOf(email),
    subject('the domain', domain),
    ...(ip === null ? [] : [subject('this IP', ip)]),
    ...(range === undefined ? [] : [subject('IP range', range)]),
    ...(asn > 0 ? [subject('network (AS)', `AS${asn}`)] : []),
    ...(country_code === '' ? [] : [subject('country', country_code)]),
  ];
}

function subject(words: string, value: string): ListedSubject {
  return { words, shown: value, value };
}

function addressOf(email: string): ListedSubject {
  if (!email.includes('*')) return subject('this address', email);
  return {
    words: 'this address',
    shown: email,
    value: '',
    hint: `The history keeps addresses masked: type the full address that is shown as ${email}.`,
  };
}

/** The /24 or the /64 around an address. */
export function rangeOf(ip: string): string | undefined {
  const quads = ip.split('.');
  if (quads.length === 4 && !ip.includes(':')) return `${quads.slice(0, 3).join('.')}.0/24`;
  if (ip.includes('.')) return undefined;
  const [before = '', after] = ip.split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const gap = after === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(Math.max(0, gap)).fill('0'), ...tail];
  if (groups.length !== 8) return undefined;
  const network = groups.slice(0, 4);
  while (network.at(-1) === '0') network.pop();
  return `${network.join(':')}::/64`;
}
