/** Parses what a person typed for a list: its kind, and what an entry would do. The service makes the final decision on both. */
import type { ListEntryRow } from '../../../src/contract/dashboard-account.ts';
import type { ListKind } from '../../../src/model/list-entry.ts';
import { countryName } from '../ui/format.ts';

/** The words for an action; on the wire, Block is `deny`. */
export const ACTIONS: Readonly<Record<ListEntryRow['action'], { word: string; did: string; list: string }>> =
  {
    allow: { word: 'Allow', did: 'allowed', list: 'Allow list' },
    deny: { word: 'Block', did: 'blocked', list: 'Block list' },
    office: { word: 'Shared office', did: 'spared from bursts', list: 'shared offices' },
  };

export const KIND_WORDS: Readonly<Record<ListKind, string>> = {
  mailbox: 'Email address',
  address: 'Exact address',
  domain_network: 'Domain + place',
  domain: 'Domain',
  ip: 'IP address',
  cidr: 'IP range',
  asn: 'Network (AS)',
  country: 'Country',
};

/** Whether an entry is about one person, by an address or all of a mailbox. */
export function isPersonal(kind: ListKind | undefined): boolean {
  return kind === 'mailbox' || kind === 'address';
}

/** IP ranges with a shorter prefix contain as many unrelated people as a network does. */
const MIN_BITS = { 4: 16, 6: 32 };

/** `undefined` while nothing usable is typed yet. @param exact an address means this spelling alone */
export function kindOf(typed: string, exact = false): ListKind | undefined {
  const text = typed.trim();
  if (text.includes('@')) {
    if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text)) return undefined;
    return exact ? 'address' : 'mailbox';
  }
  if (text.includes('+')) return isPair(text) ? 'domain_network' : undefined;
  if (text.includes('/')) return /^[0-9a-f.:]+\/\d{1,3}$/i.test(text) ? 'cidr' : undefined;
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text) || /^[0-9a-f.]*:[0-9a-f:.]+$/i.test(text)) return 'ip';
  if (/^(as)?\d+$/i.test(text)) return 'asn';
  if (/^[a-z]{2}$/i.test(text)) return 'country';
  return /^(\*?\.)?[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*$/u.test(text) && text.includes('.')
    ? 'domain'
    : undefined;
}

function isPair(text: string): boolean {
  const [domain = '', place = '', ...more] = text.split('+').map(kindOfPart);
  return more.length === 0 && domain === 'domain' && ['ip', 'cidr', 'asn'].includes(place);
}

const kindOfPart = (part: string) => kindOf(part);

/** Whether a value can have this action: a shared office is a place, or a domain at one. */
export function canBe(action: ListEntryRow['action'], kind: ListKind): boolean {
  const isPlace = kind === 'domain_network' || kind === 'ip' || kind === 'cidr';
  return action === 'office' ? isPlace : kind !== 'domain_network';
}

/** The value as the list will show it, for people to type once more. */
export function shownAs(kind: ListKind, typed: string): string {
  const value = typed.trim();
  if (kind === 'asn') return `AS${value.replace(/^as/i, '')}`;
  if (kind === 'country') return value.toUpperCase();
  if (kind !== 'domain') return value;
  const name = value.replace(/^\*?\./, '').replace(/\.$/, '');
  return name.includes('.') ? name : `.${name}`;
}

/** Whether an entry affects so many people that nobody can know them. Its value must be typed twice. */
export function isWide(kind: ListKind, typed: string): boolean {
  if (kind === 'asn' || kind === 'country') return true;
  const shown = shownAs(kind, typed);
  if (kind === 'domain') return shown.startsWith('.');
  const [address = '', bits] = shown.split('/');
  return kind === 'cidr' && Number(bits) < MIN_BITS[address.includes(':') ? 6 : 4];
}

/** `Signups from 203.0.113.0/24`, as the beginning of a sentence. */
export function reachOf(kind: ListKind, typed: string): string {
  const shown = shownAs(kind, typed);
  if (kind === 'domain_network') {
    const [domain = '', place = ''] = shown.split('+').map((part) => part.trim());
    return `Signups with an address at ${domain} or below it that come from ${place}`;
  }
  if (kind === 'address') return `Signups with exactly the address ${shown}, and no other spelling of it,`;
  if (kind === 'mailbox')
    return `Signups with ${shown}, or another spelling that reaches the same mailbox (dots, tags),`;
  if (kind === 'domain' && isWide(kind, typed))
    return `Signups with an address at any domain that ends in ${shown}`;
  if (kind === 'domain') return `Signups with an address at ${shown} or any domain below it`;
  if (kind === 'asn') return `All signups from the network ${shown}, good and bad,`;
  if (kind === 'country') return `All signups from ${countryName(shown)}, good and bad,`;
  return `Signups from ${shown}`;
}
