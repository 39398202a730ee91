/** Decides which requests go through which HTTP proxy, as `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` say. */
import { isIPv4 } from 'node:net';
import { carriesIpv4, IPV4_CARRIER_BITS, parseIp, parseIpv6Words } from '../address/ip.ts';
import { hostOf, portOf } from './public-address.ts';

export interface ProxySettings {
  /** URL of the proxy for `http:` targets, with user and password where it needs them; `null`: directly. */
  readonly httpProxy: string | null;
  /** URL of the proxy for `https:` targets; `null`: none. */
  readonly httpsProxy: string | null;
  /** Entries of `NO_PROXY`, in lower case: `*`, names, addresses, CIDR blocks, each but a block with a port if it has one. */
  readonly noProxy: readonly string[];
}

/** The members alone, as they go to a thread. */
export function proxiesOf({ httpProxy, httpsProxy, noProxy }: ProxySettings): ProxySettings {
  return { httpProxy, httpsProxy, noProxy };
}

/** The proxy of a URL; `undefined`: the request goes directly. */
export type ProxyChoice = (url: URL) => URL | undefined;

const LOOPBACK = ['127.0.0.0/8', '::1'];

export function createProxyChoice(settings: ProxySettings | undefined): ProxyChoice {
  if (settings === undefined) return () => undefined;
  const { httpProxy, httpsProxy, noProxy } = settings;
  const proxies: Readonly<Record<string, URL | undefined>> = {
    'http:': httpProxy === null ? undefined : new URL(httpProxy),
    'https:': httpsProxy === null ? undefined : new URL(httpsProxy),
  };
  // This machine is never asked for through another one.
  const isDirect = [...noProxy, 'localhost', ...LOOPBACK].map(readEntry);
  return (url) => {
    const proxy = proxies[url.protocol];
    return proxy === undefined || isDirect.some((fits) => fits(url)) ? undefined : proxy;
  };
}

/** Name under which a proxy is shown: without its user and password. */
export function nameOf(proxy: URL): string {
  return proxy.origin;
}

function readEntry(text: string): (url: URL) => boolean {
  if (text === '*') return () => true;
  const [, bracketed, name = text, port] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  const fitsHost = readBlock(bracketed ?? name) ?? readDomain(name);
  return (url) => fitsHost(hostOf(url)) && (port === undefined || Number(port) === portOf(url));
}

function readDomain(name: string): (host: string) => boolean {
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return (text) => {
    const host = text.toLowerCase().replace(/\.$/, '');
    return host === domain || host.endsWith(`.${domain}`);
  };
}

/** A CIDR block, or an address as the block of itself. Names are not looked up for it. */
function readBlock(text: string): ((host: string) => boolean) | undefined {
  const [base = '', bits] = text.split('/');
  const words = wordsOf(base);
  if (words === undefined) return undefined;
  const prefix = bits === undefined ? 128 : Number(bits) + (isIPv4(base) ? IPV4_CARRIER_BITS : 0);
  return (host) => addressesOf(host).some((address) => isWithin(address, words, prefix));
}

/** Addresses that a host means: its own, and the IPv4 address that NAT64 reaches by it. */
function addressesOf(host: string): readonly (readonly number[])[] {
  const words = wordsOf(host);
  if (words === undefined) return [];
  return carriesIpv4(words) ? [words, mapped(words[3] as number)] : [words];
}

/** The words of an address in IPv6, IPv4 in its mapped form, so that `::ffff:10.0.0.0/104` is `10.0.0.0/8`. */
function wordsOf(text: string): readonly number[] | undefined {
  return isIPv4(text) ? mapped(parseIp(text)?.words[0] as number) : parseIpv6Words(text);
}

function mapped(quad: number): readonly number[] {
  return [0, 0, 0xffff, quad];
}

function isMapped(words: readonly number[]): boolean {
  return words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
}

/** A block of IPv6 that is larger than all of IPv4, such as `::/0`, names no address of IPv4. */
function isWithin(address: readonly number[], base: readonly number[], prefix: number): boolean {
  if (prefix < IPV4_CARRIER_BITS && isMapped(address)) return false;
  return address.every((word, at) => {
    const free = Math.min(Math.max((at + 1) * 32 - prefix, 0), 32);
    return free === 32 || (word ^ (base[at] as number)) >>> free === 0;
  });
}
