/** Reads what a person typed for a list: its kind, and what an entry for it does. The service has the last word on both. */
import type { ListEntry, ListKind } from '../../../src/contract/dashboard/account.ts';

export const KIND_WORDS: Readonly<Record<ListKind, string>> = {
  address: 'Email address',
  domain: 'Domain',
  ip: 'IP address',
  cidr: 'IP block',
  asn: 'Network (AS)',
  country: 'Country',
};

/** `undefined` while nothing usable is typed yet. */
export function kindOf(typed: string): ListKind | undefined {
  const text = typed.trim();
  if (text.includes('@')) return /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text) ? 'address' : undefined;
  if (text.includes('/')) return /^[0-9a-f.:]+\/\d{1,3}$/i.test(text) ? 'cidr' : undefined;
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text) || /^[0-9a-f.]*:[0-9a-f:.]+$/i.test(text)) return 'ip';
  if (/^(as)?\d+$/i.test(text)) return 'asn';
  if (/^[a-z]{2}$/i.test(text)) return 'country';
  return /^(\*?\.)?[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*$/u.test(text) && text.includes('.')
    ? 'domain'
    : undefined;
}

/** `Signups from 203.0.113.0/24`, as the beginning of a sentence. */
export function reachOf(kind: ListKind, typed: string): string {
  const value = typed.trim();
  if (kind === 'address') return `Signups with ${value}, and no alias of it,`;
  if (kind === 'domain')
    return `Signups with an address at ${value.replace(/^\*?\./, '')} or any domain below it`;
  if (kind === 'asn') return `Signups from all IPs of AS${value.replace(/^as/i, '')}`;
  if (kind === 'country') return `Signups from all IPs of ${regionOf(value.toUpperCase())}`;
  return `Signups from ${value}`;
}

export function doneBy(action: ListEntry['action']): string {
  return action === 'allow' ? 'allowed' : 'blocked';
}

function regionOf(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}
