/** Decides which list entries concern so many people that their value has to be sent twice. */
import type { ListEntry } from '../store/store.ts';
import { unusable } from './dashboard-refusals.ts';

type Value = Pick<ListEntry, 'kind' | 'value' | 'shown'>;

/** An IP range with a shorter prefix holds as many strangers as a network does. */
const LEAST_BITS = { ipv4: 16, ipv6: 32 };

/** A network, a country, a top-level domain, or a very large range of addresses. `value`: canonical. */
export function isWideEntry({ kind, value }: Pick<Value, 'kind' | 'value'>): boolean {
  if (kind === 'asn' || kind === 'country') return true;
  if (kind === 'domain') return !value.includes('.');
  if (kind !== 'cidr') return false;
  const bits = Number(value.slice(value.indexOf('/') + 1));
  return bits < (value.includes(':') ? LEAST_BITS.ipv6 : LEAST_BITS.ipv4);
}

/** @throws Problem `invalid_value` where a wide entry was not confirmed by its value as lists show it */
export function checkConfirmed(entry: Value, confirmation: string | undefined): void {
  if (!isWideEntry(entry)) return;
  if (confirmation?.trim().toLowerCase() === entry.shown.toLowerCase()) return;
  throw unusable(
    'confirm',
    `${entry.shown} affects everybody there and is not confirmed.`,
    `Send \`confirm\` with the value once more: ${entry.shown}.`,
  );
}
