/** Decides how feeds in JSON are read, also if their publisher changed the shape a little: clouds, Tor relays, proxies. */
import { createDomainReader } from './domain-name.ts';
import type { FeedRows } from './feed-rows.ts';

/** Amazon: the ranges of EC2, the service that hosts; the other services only repeat these ranges or serve behind them. */
export function readAws(text: string, rows: FeedRows): void {
  const document: unknown = JSON.parse(text);
  takeHosting(listIn(document, 'prefixes'), 'ip_prefix', rows);
  takeHosting(listIn(document, 'ipv6_prefixes'), 'ipv6_prefix', rows);
}

function takeHosting(list: readonly unknown[], name: string, rows: FeedRows): void {
  for (const row of list) {
    const service = member(row, 'service');
    if (typeof service !== 'string') rows.refuse(row);
    else if (service === 'EC2') rows.takeBlock(member(row, name));
  }
}

/** Google Cloud: each row has an IPv4 or an IPv6 prefix. */
export function readGcp(text: string, rows: FeedRows): void {
  for (const row of listIn(JSON.parse(text), 'prefixes')) {
    const block = member(row, 'ipv4Prefix') ?? member(row, 'ipv6Prefix');
    if (block === undefined) rows.refuse(row);
    else rows.takeBlock(block);
  }
}

/** Oracle Cloud: blocks by region. */
export function readOracle(text: string, rows: FeedRows): void {
  for (const region of listIn(JSON.parse(text), 'regions')) {
    for (const row of listIn(region, 'cidrs')) rows.takeBlock(member(row, 'cidr'));
  }
}

/** Onionoo's details of Tor relays: every address at which a relay is reached, or from which its traffic leaves. */
export function readOnionoo(text: string, rows: FeedRows): void {
  for (const relay of listIn(JSON.parse(text), 'relays')) {
    const reached = member(relay, 'or_addresses');
    // Only relays whose exit address differs from where they are reached have this list.
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

/** Open proxies: the address from which traffic leaves each, since signups come from it. */
export function readProxies(text: string, rows: FeedRows): void {
  const document: unknown = JSON.parse(text);
  if (!Array.isArray(document)) throw new Error('the document is not a list of proxies');
  for (const row of document) rows.takeBlock(member(row, 'exit_ip') || member(row, 'host'));
}

/** MISP's warning lists: names or blocks, by kind of feed. */
export function readWarninglistDomains(text: string, rows: FeedRows): void {
  const reader = createDomainReader();
  for (const name of listIn(JSON.parse(text), 'list'))
    rows.take(reader.read(String(name).replace(/^\./, '')), name);
}

export function readWarninglistAddresses(text: string, rows: FeedRows): void {
  for (const block of listIn(JSON.parse(text), 'list')) rows.takeBlock(block);
}

/** A member of an object; `undefined` if it is not an object or has no such member. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** @throws when the document has no such list */
function listIn(value: unknown, name: string): readonly unknown[] {
  const list = member(value, name);
  if (!Array.isArray(list)) throw new Error(`the document has no list "${name}"`);
  return list;
}
