/** Decides which mail hosts are shared by strangers, and which are a relay provider's. */
import { readFileSync } from 'node:fs';
import { withParents } from '../address/domain.ts';

export interface HostNames {
  /** Whether strangers have their mail there: nothing is learned of such a host. */
  isShared(host: string): boolean;
  /** The entry that names a relay provider's host; `undefined` for any other. */
  relayEntry(host: string): string | undefined;
}

/** Reads the lists beside this file. `host`: ASCII and lower-case; a listed name speaks for the names below it. */
export function createHostNames(): HostNames {
  const shared = readNames('shared-hosts.txt');
  const relays = readNames('relay-hosts.txt');
  return {
    isShared: (host) => entryOf(shared, host) !== undefined,
    relayEntry: (host) => entryOf(relays, host),
  };
}

function readNames(file: string): ReadonlySet<string> {
  const lines = readFileSync(new URL(`./${file}`, import.meta.url), 'utf8').split('\n');
  return new Set(lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#')));
}

function entryOf(names: ReadonlySet<string>, host: string): string | undefined {
  for (const name of withParents(host)) if (names.has(name)) return name;
  return undefined;
}
