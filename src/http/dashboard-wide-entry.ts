/** Decides which list entries affect so many people that their value must be sent twice. */
import type { ListEntry } from '../model/list-entry.ts';
import { unusable } from './dashboard-refusals.ts';

type Value = Pick<ListEntry, 'kind' | 'value' | 'shown'>;

/** An IP range with a shorter prefix contains as many unrelated people as a network. */
const MIN_BITS = { ipv4: 16, ipv6: 32 };

/** Whether unrelated people have addresses at this domain or below it: a suffix, or a mail provider. `value`: canonical. */
export type IsCrowdedDomain = (entry: Pick<Value, 'kind' | 'value'>) => boolean;

/** A network, a country, a very large range of addresses, or a domain that unrelated people share. `value`: canonical. */
export function isWideEntry(entry: Pick<Value, 'kind' | 'value'>, isCrowded: IsCrowdedDomain): boolean {
  const { kind, value } = entry;
  if (kind === 'asn' || kind === 'country') return true;
  if (kind === 'domain') return !value.includes('.') || isCrowded(entry);
  if (kind !== 'cidr') return false;
  const bits = Number(value.slice(value.indexOf('/') + 1));
  return bits < (value.includes(':') ? MIN_BITS.ipv6 : MIN_BITS.ipv4);
}

/** @throws Problem `invalid_value` where a wide entry was not confirmed by its value as lists show it */
export function checkConfirmed(
  entry: Value,
  confirmation: string | undefined,
  isCrowded: IsCrowdedDomain,
): void {
  if (!isWideEntry(entry, isCrowded)) return;
  if (confirmation?.trim().toLowerCase() === entry.shown.toLowerCase()) return;
  throw unusable(
    'confirm',
    `${entry.shown} affects everybody there and is not confirmed.`,
    `Send \`confirm\` with the value again: ${entry.shown}.`,
  );
}
