/** Recognizes what a person pasted into the search: an address, an IP or range, a network, a domain, an id, or words. */
import type { SearchReaders } from './dashboard-history-filter.ts';

export interface FindReaders extends Pick<SearchReaders, 'block' | 'domain'> {
  /** Canonical address and its domain; `undefined` where the text is none. */
  readonly email: (text: string) => { readonly address: string; readonly domain: string } | undefined;
}

/** Meanings of a text; absent ones are not possible. */
export interface FoundText {
  /** All of it, trimmed. */
  readonly words: string;
  readonly requestId?: string;
  readonly email?: string;
  /** `j***@example.com`, as pages show an address: it does not tell whose it is. */
  readonly masked?: string;
  readonly domain?: string;
  /** An address or a CIDR block, as the filter of signups has it. */
  readonly ip?: string;
  readonly asn?: number;
}

/** Signs around a text that was copied out of a sentence. */
const AROUND = /^["'`<(]+|["'`>),;.!?]+$/g;
const REQUEST_ID = /^req_[0-9a-z]+$/i;
const MASKED = /^.{1,2}\*{3}@/u;
const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i;
const IPV4_PART = /^(\d{1,3})\.(\d{1,3})(?:\.(\d{1,3}))?(?:\.\*)?$/;
const IPV4_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/;
const IPV6_PORT = /^\[([0-9a-f:.]+)\](?::\d{1,5})?$/i;
const ASN = /^(?:as[ -]?)?(\d{1,10})$/i;
const HIGHEST_ASN = 4_294_967_295;
/** An address among other words, such as `Jo <jo@example.com>` or `mailto:jo@example.com`. */
const ADDRESS = /[^\s<>()[\]"',;:]+@[^\s<>()[\]"',;:?]+/u;

export function recognizeText(text: string, readers: FindReaders): FoundText {
  const words = text.trim().replace(/\s+/g, ' ');
  const bare = words.replace(AROUND, '');
  if (REQUEST_ID.test(bare)) return { words, requestId: bare.toLowerCase() };
  const address = ADDRESS.exec(words)?.[0].replace(/[.!]+$/, '');
  if (address !== undefined && !URL_START.test(bare)) return { words, ...readAddress(address, readers) };
  const host = hostOf(bare);
  const ip = readIp(host, readers) ?? readIp(bare, readers);
  if (ip !== undefined) return { words, ip };
  const asn = Number(ASN.exec(bare)?.[1]);
  if (asn > 0 && asn <= HIGHEST_ASN) return { words, asn };
  const domain = readers.domain(host.replace(/^(?:@|\*?\.)/, ''));
  return domain === undefined ? { words } : { words, domain };
}

function readAddress(text: string, readers: FindReaders): Pick<FoundText, 'email' | 'masked' | 'domain'> {
  const email = readers.email(text);
  if (email !== undefined && !MASKED.test(text)) return { email: email.address, domain: email.domain };
  const domain = readers.domain(text.slice(text.lastIndexOf('@') + 1));
  if (domain === undefined) return {};
  return MASKED.test(text) ? { masked: text, domain } : { domain };
}

/** `https://example.com/path` and `example.com/path` → `example.com`; a CIDR block stays. */
function hostOf(text: string): string {
  const rest = text.replace(URL_START, '');
  return /\/\d{1,3}$/.test(rest) ? rest : (rest.split(/[/?#]/, 1)[0] as string);
}

function readIp(text: string, { block }: FindReaders): string | undefined {
  const plain = IPV4_PORT.exec(text)?.[1] ?? IPV6_PORT.exec(text)?.[1] ?? text;
  const [, first, second, third] = IPV4_PART.exec(plain) ?? [];
  const range = third === undefined ? `${first}.${second}.0.0/16` : `${first}.${second}.${third}.0/24`;
  const ip = first === undefined ? plain : range;
  return block(ip) === undefined ? undefined : ip;
}
