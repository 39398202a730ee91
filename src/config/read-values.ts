/** Readers of the settings' texts: each refuses values that are not valid, and says which are. */
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import type { FlipLimit } from '../model/feed-status.ts';
import { socketPathOf } from '../model/listen-address.ts';

/** Random hexadecimal digits, the poorest alphabet in use, have fewer in one of ten million keys. */
const MIN_KEY_CHARACTERS = 8;
/** Room of the system's own structure, less the zero at its end; macOS has a little less. */
const MAX_SOCKET_PATH = 103;
/** More signups are never judged again at once. */
const MAX_FLIPS = 1_000_000;
const ZONE = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

export function hasScheme(text: string, schemes: readonly string[]): boolean {
  return URL.canParse(text) && schemes.includes(new URL(text).protocol);
}

export function oneOf<const T extends string>(text: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === text);
  if (found === undefined) throw new Error(`must be one of ${allowed.join(', ')}`);
  return found;
}

export function readSwitch(text: string): boolean {
  return oneOf(text, ['on', 'off']) === 'on';
}

export function readInteger(text: string, min: number, max: number): number {
  if (!isInteger(text, min, max)) throw new Error(`must be a whole number from ${min} to ${max}`);
  return Number(text);
}

/** 0 … 1 */
export function readShare(text: string): number {
  if (!/^(?:0(?:\.\d{1,3})?|1(?:\.0{1,3})?)$/.test(text)) throw new Error('must be a number from 0 to 1');
  return Number(text);
}

/** 0.1 … 10 */
export function readFactor(text: string): number {
  if (!/^(?:0\.[1-9]\d?|[1-9](?:\.\d{1,2})?|10)$/.test(text))
    throw new Error('must be a number from 0.1 to 10');
  return Number(text);
}

/** `null` for `off`. */
export function readFlipLimit(text: string): FlipLimit | null {
  if (text === 'off') return null;
  const percent = /^(\d{1,2}(?:\.\d{1,2})?)%$/.exec(text)?.[1];
  if (percent !== undefined) return { share: Number(percent) / 100 };
  if (isInteger(text, 0, MAX_FLIPS)) return { signups: Number(text) };
  throw new Error('must be a share such as `1%`, a number of signups, or `off`');
}

/** `null` for `off`. */
export function readIntegerOrOff(text: string, min: number, max: number): number | null {
  if (text === 'off') return null;
  if (!isInteger(text, min, max)) throw new Error(`must be a whole number from ${min} to ${max}, or \`off\``);
  return Number(text);
}

/** Whether a text is such a number, also with zeros in front, but with no more digits than the maximum has. */
function isInteger(text: string, min: number, max: number): boolean {
  const fits = /^\d+$/.test(text) && text.length <= String(max).length;
  return fits && Number(text) >= min && Number(text) <= max;
}

/** `unix:` and an absolute path. */
export function readSocket(text: string): string {
  const path = socketPathOf(text) ?? '';
  if (!isAbsolute(path) || path.endsWith('/'))
    throw new Error('must be `unix:` and the absolute path of a socket');
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH)
    throw new Error(`must have at most ${MAX_SOCKET_PATH} bytes after \`unix:\`, as the system demands`);
  return text;
}

/** Absolute path of a folder, which need not exist yet. */
export function readFolder(text?: string): string {
  const folder = resolve(text ?? './data');
  if (isFile(folder))
    throw new Error(text === undefined ? `must be a folder; ${folder} is not one` : 'must be a folder');
  return folder;
}

function isFile(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch {
    // Whether the folder can be made is checked when it is made.
    return false;
  }
}

/** A key of the right form that cannot be guessed: a key with too few different characters is not random. */
export function readBootstrapKey(text = 'none'): string | null {
  if (text === 'none') return null;
  const random = /^sk_live_([0-9A-Za-z]{27,64})$/.exec(text)?.[1] ?? '';
  if (new Set(random).size < MIN_KEY_CHARACTERS)
    throw new Error(
      'must be `sk_live_` and 27 to 64 random letters and digits, as `echo sk_live_$(openssl rand -hex 24)` makes it, or `none`',
    );
  return text;
}

/** Checks only that the file can be read and is JSON: its members are checked with the feeds. */
export function readJsonPath(text: string): string {
  const file = resolve(text);
  try {
    JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code = 'its content is not JSON' } = error as NodeJS.ErrnoException;
    throw new Error(`must be a JSON file that can be read (${code})`);
  }
  return file;
}

export function isHttpUrl(text: string): boolean {
  return hasScheme(text, ['http:', 'https:']);
}

export function readZones(text = 'off'): readonly string[] {
  if (text === 'off') return [];
  const zones = text.split(',').map((zone) => zone.trim().toLowerCase().replace(/\.$/, ''));
  if (!zones.every((zone) => zone.length <= 180 && ZONE.test(zone)))
    throw new Error('must be a list like dnsbl.example.org,bl.example.net, or `off`');
  return [...new Set(zones)];
}

/** One that is wrong by itself must not outweigh the others, so there are three at least. */
export function readCanaryDomains(text: string): readonly string[] {
  if (text === 'off') return [];
  const domains = [
    ...new Set(text.split(',').map((domain) => domain.trim().toLowerCase().replace(/\.$/, ''))),
  ];
  const fits = domains.length >= 3 && domains.length <= 10;
  if (!fits || !domains.every((domain) => domain.length <= 253 && ZONE.test(domain)))
    throw new Error('must be three to ten domains like gmail.com,outlook.com,yahoo.com, or `off`');
  return domains;
}

/** An IP address, alone or with a prefix length that fits it; without a zone, which no address that is compared with it has. */
export function isRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const maxBits = { 0: -1, 4: 32, 6: 128 }[address.includes('%') ? 0 : isIP(address)] ?? -1;
  return (
    more.length === 0 &&
    maxBits > 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits))
  );
}

export function readServer(text: string): string {
  const bare = isIP(text);
  if (bare !== 0) return bare === 6 ? `[${text}]:53` : `${text}:53`;
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? '';
  const fits =
    isIP(address) === (bracketed === undefined ? 4 : 6) &&
    Number(port ?? 53) >= 1 &&
    Number(port ?? 53) <= 65_535;
  if (!fits) throw new Error('must be a list like 192.0.2.1:53,[2001:db8::1]:53');
  return bracketed === undefined ? `${address}:${port ?? 53}` : `[${address}]:${port ?? 53}`;
}

/** The URL of an HTTP proxy; also without the scheme, as many programs allow. `null`: none. */
export function readProxy(text = 'none'): string | null {
  if (text === 'none') return null;
  const url = text.includes('://') ? text : `http://${text}`;
  const isPlain = isHttpUrl(url) && new URL(url).pathname === '/' && !/[?#]/.test(url);
  if (!isPlain || !canDecode(new URL(url)))
    throw new Error(
      'must be the URL of an HTTP proxy, like http://proxy.example.com:3128 (SOCKS is not supported), or `none`',
    );
  return new URL(url).href;
}

function canDecode({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

const PROXIED_NAME =
  /^(?:\*?\.)?[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?$/;

export function readNoProxy(text = 'none'): readonly string[] {
  if (text === 'none') return [];
  const entries = text.toLowerCase().split(/[\s,]+/);
  const wanted = entries.filter((entry) => entry !== '').map(asBlock);
  if (!wanted.every(isNoProxyEntry))
    throw new Error('must be a list like localhost,.example.com,10.0.0.0/8,registry.example:8443, or `none`');
  return wanted;
}

const OCTETS = 4;

/** `10.*` and `[fd00::]/8`, as other programs write CIDR blocks; another entry as it is. */
function asBlock(entry: string): string {
  const [, octets] = /^(\d{1,3}(?:\.\d{1,3}){0,2})(?:\.\*)+$/.exec(entry) ?? [];
  if (octets === undefined) return entry.replace(/^\[(.*)\](?=\/)/, '$1');
  const known = octets.split('.');
  const base = [...known, ...Array<string>(OCTETS - known.length).fill('0')].join('.');
  return `${base}/${known.length * 8}`;
}

function isNoProxyEntry(entry: string): boolean {
  if (entry === '*' || isRange(entry)) return true;
  const [, bracketed, name = '', port] = /^(?:\[([^\]]*)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const fits =
    bracketed === undefined ? isProxiedName(name) : isIP(bracketed) === 6 && !bracketed.includes('%');
  return fits && Number(port ?? 1) >= 1 && Number(port ?? 1) <= 65_535;
}

/** A host in a URL whose last label is a number is an IPv4 address in four numbers, so a name like `10.1` would fit none. */
function isProxiedName(name: string): boolean {
  const endsInNumber = /(?:^|\.)(?:\d+|0x[\da-f]*)$/;
  const bare = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return PROXIED_NAME.test(name) && (isIP(bare) === 4 || !endsInNumber.test(bare));
}
