/** Decides which requests go through which HTTP proxy, as `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` say. */
import { parseIp } from '../address/ip.ts';
import { hostOf, portOf } from './public-address.ts';

export interface ProxySettings {
  /** URL of the proxy for `http:` targets, with user and password where it needs them; `null`: directly. */
  readonly httpProxy: string | null;
  /** The same for `https:` targets. */
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
  const block = readBlock(text);
  if (block !== undefined) return block;
  const [, bracketed, name = '', port] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  const fitsPort = (url: URL) => port === undefined || Number(port) === portOf(url);
  const address = parseIp(bracketed ?? name);
  if (address !== undefined) return (url) => parseIp(hostOf(url))?.text === address.text && fitsPort(url);
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return (url) => {
    const host = hostOf(url).toLowerCase().replace(/\.$/, '');
    return (host === domain || host.endsWith(`.${domain}`)) && fitsPort(url);
  };
}

/** A CIDR block, or an address of IPv6 without brackets. Names are not looked up for it. */
function readBlock(text: string): ((url: URL) => boolean) | undefined {
  const [base = '', bits] = text.split('/');
  const address = parseIp(base);
  if (address === undefined || (bits === undefined && address.version === 4)) return undefined;
  const prefix = bits === undefined ? 128 : Number(bits);
  return (url) => {
    const target = parseIp(hostOf(url));
    if (target === undefined || target.version !== address.version) return false;
    return target.words.every((word, at) => {
      const free = Math.min(Math.max((at + 1) * 32 - prefix, 0), 32);
      return free === 32 || (word ^ (address.words[at] as number)) >>> free === 0;
    });
  };
}
