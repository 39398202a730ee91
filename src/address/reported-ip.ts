/** Reads the visitor's address as proxies and auth providers report it: with a port, in quotes, in lists, in `Forwarded`. */
import { isIP } from 'node:net';
import type { IpAddress } from '../model/signup-attempt.ts';
import { parseIp, readIp } from './ip.ts';

/** The headers of a request that name visitors: their values by lower-case names; several of one name are joined by commas. */
export type ReportingHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** RFC 7239 also allows a hidden port, `_x`. */
const WITH_PORT = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::(?:\d{1,5}|_[\w.-]+))?$/;
const PSEUDO_IPV4_TWIN = 'cf-connecting-ipv6';

/** The address in a text, without quotes, brackets, port and zone, but not yet canonical; `undefined` where there is none. */
export function bareIp(text: string): string | undefined {
  const plain = unquote(text);
  const [, bracketed, quad] = WITH_PORT.exec(plain) ?? [];
  const address = (bracketed ?? quad ?? plain).replace(/%[\w.-]+$/, '');
  return isIP(address) === 0 ? undefined : address;
}

/** @returns `undefined` where the text is no address, such as `unknown` or `_hidden` */
export function parseReportedIp(text: string): IpAddress | undefined {
  const bare = bareIp(text);
  return bare === undefined ? undefined : parseIp(bare);
}

/** The address in a field for one: a list of several that differ is nobody's. */
export function agreedIp(text: string): IpAddress | undefined {
  const [first, ...others] = splitList(text).map(parseReportedIp);
  return others.every((other) => other?.text === first?.text) ? first : undefined;
}

/** Hops that proxies appended, the nearest one last: `X-Forwarded-For`, or `Forwarded` (RFC 7239) where it is absent or empty. */
export function reportedHops(headers: ReportingHeaders): string[] {
  const hops = splitList(joinedValue(headers, 'x-forwarded-for') ?? '');
  return hops.length > 0 ? hops : splitForwarded(joinedValue(headers, 'forwarded') ?? '');
}

/** The elements of a list in a header; an empty one is none (RFC 9110, section 5.6.1). */
export function splitList(value: string): string[] {
  return value.split(',').filter(isElement);
}

/**
 * The real address behind a made-up one of class E (240.0.0.0/4), which Cloudflare writes for visitors with IPv6 ("Pseudo IPv4:
 * overwrite headers"). Only for an address that a trusted proxy reported: nobody comes from class E.
 */
export function realIp(address: IpAddress, headers: ReportingHeaders): IpAddress {
  if (address.version === 6 || (address.words[0] as number) >>> 28 !== 15) return address;
  const twin = agreedIp(joinedValue(headers, PSEUDO_IPV4_TWIN) ?? '');
  return twin?.version === 6 ? twin : address;
}

/**
 * The visitor in the headers that another service received: the nearest address that is public, past as many public proxies
 * as stand in front of it. Nearer private addresses are its own proxies.
 */
export function visitorBefore(headers: ReportingHeaders, publicProxies = 0): IpAddress | undefined {
  let left = publicProxies;
  let nearest: IpAddress | undefined;
  for (const hop of reportedHops(headers).reverse()) {
    const address = parseReportedIp(hop);
    if (address === undefined) return undefined;
    nearest = realIp(address, headers);
    if (readIp(nearest.text).status !== 'ok') continue;
    if (left === 0) return nearest;
    left -= 1;
  }
  return publicProxies === 0 ? nearest : undefined;
}

function isElement(text: string): boolean {
  return text.trim() !== '';
}

/** The `for` of each element; empty where an element has none, or has two. */
function splitForwarded(value: string): string[] {
  const elements = splitUnquoted(value, ',').filter(isElement);
  return elements.map((element) => {
    const nodes = splitUnquoted(element, ';').flatMap((pair) => {
      const [, name = '', node = ''] = /^\s*([^\s=]+)\s*=(.*)$/s.exec(pair) ?? [];
      return name.toLowerCase() === 'for' ? [unquote(node)] : [];
    });
    return nodes.length === 1 ? (nodes[0] as string) : '';
  });
}

/**
 * Splits where the separator is in no quoted text. It reads from the right: a quote that the sender of the request opened and
 * did not close must not swallow what a trusted proxy appended.
 */
function splitUnquoted(text: string, separator: string): string[] {
  const parts: string[] = [];
  let end = text.length;
  let isQuoted = false;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const character = text[at];
    if (character === '"' && !(isQuoted && isEscaped(text, at))) isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(at + 1, end));
      end = at;
    }
  }
  parts.push(text.slice(0, end));
  return parts.reverse();
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

function unquote(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length < 2 || !/^".*"$/s.test(trimmed)) return trimmed;
  return trimmed.slice(1, -1).replace(/\\(.)/gs, '$1').trim();
}

function joinedValue(headers: ReportingHeaders, name: string): string | undefined {
  const value = headers[name];
  return value === undefined || typeof value === 'string' ? value : value.join(', ');
}
