/** Reads Onionoo's details of Tor relays: every address that a relay is reached at or comes out of. */
import type { FeedRows } from './feed-rows.ts';
import { listIn, member } from './json-document.ts';

export function readOnionoo(text: string, rows: FeedRows): void {
  for (const relay of listIn(JSON.parse(text), 'relays')) {
    const reached = member(relay, 'or_addresses');
    // Only relays that come out elsewhere than they are reached have this list.
    const exits = member(relay, 'exit_addresses') ?? [];
    if (!Array.isArray(reached) || !Array.isArray(exits)) {
      rows.refuse(relay);
      continue;
    }
    for (const endpoint of reached) rows.takeBlock(withoutPort(endpoint) ?? endpoint);
    for (const address of exits) rows.takeBlock(address);
  }
}

/** `192.0.2.7:9001` or `[2001:db8::7]:9001`. */
function withoutPort(endpoint: unknown): string | undefined {
  const [, v6, v4] = /^(?:\[([^\]]+)\]|([\d.]+)):\d{1,5}$/.exec(String(endpoint)) ?? [];
  return v6 ?? v4;
}
