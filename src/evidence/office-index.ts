/** Decides which of an account's shared offices an attempt comes from: the one at the narrowest place. */
import { parseBlock } from '../address/block.ts';
import { type ListEntry, splitOffice } from '../model/list-entry.ts';
import { createBlockTable } from './list-block-table.ts';
import { inForce, type ListNetwork, type ListSubject } from './list-index.ts';

export type OfficeEntry = Pick<ListEntry, 'id' | 'kind' | 'value' | 'expiresAt'>;

export interface OfficeIndex<E extends OfficeEntry> {
  /** Adds an entry, or replaces the one of the same value. */
  put(entry: E): void;
  /** Removes an entry, unless another one has replaced it. */
  remove(entry: E): void;
  /**
   * IP, then blocks from the longest prefix on, then AS number; at each of them the people of a domain, or of one that it is
   * below, before everybody. Expired entries are ignored. A person without an IP comes from none.
   */
  find(subject: Pick<ListSubject, 'at' | 'email' | 'ip'>, network: ListNetwork | null): E | undefined;
  readonly size: number;
}

/** The entries of one place by their domain; '' is everybody's. */
type Place<E> = Map<string, E>;

const EVERYBODY = '';

export function createOfficeIndex<E extends OfficeEntry>(): OfficeIndex<E> {
  /** Places by their IP or AS number. */
  const named = new Map<string, Place<E>>();
  const blocks = createBlockTable<Place<E>>();
  let size = 0;

  function placesOf(network: string) {
    const block = network.includes('/') ? parseBlock(network) : undefined;
    if (block === undefined)
      return {
        place: named.get(network),
        set: (place: Place<E>) => named.set(network, place),
        clear: () => named.delete(network),
      };
    return {
      place: blocks.get(block),
      set: (place: Place<E>) => blocks.set(block, place),
      clear: () => blocks.delete(block),
    };
  }

  return {
    put(entry) {
      const { domain, network } = splitOffice(entry.value);
      const { place = new Map<string, E>(), set } = placesOf(network);
      if (!place.has(domain ?? EVERYBODY)) size += 1;
      place.set(domain ?? EVERYBODY, entry);
      set(place);
    },
    remove(entry) {
      const { domain, network } = splitOffice(entry.value);
      const { place, clear } = placesOf(network);
      if (place?.get(domain ?? EVERYBODY)?.id !== entry.id) return;
      place.delete(domain ?? EVERYBODY);
      size -= 1;
      if (place.size === 0) clear();
    },
    find({ at, email, ip }, network) {
      if (ip === null || size === 0) return undefined;
      const of = (place: Place<E> | undefined) => place && entryOf(place, email.domain, at);
      return (
        of(named.get(ip.text)) ??
        blocks.find(ip, of) ??
        (network === null ? undefined : of(named.get(`AS${network.asn}`)))
      );
    },
    get size() {
      return size;
    },
  };
}

function entryOf<E extends OfficeEntry>(place: Place<E>, domain: string, at: number): E | undefined {
  for (let name = domain; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    const entry = place.get(name);
    if (entry !== undefined && inForce(entry, at)) return entry;
  }
  const entry = place.get(EVERYBODY);
  return entry !== undefined && inForce(entry, at) ? entry : undefined;
}
