/** Decides what an operator's file may say of one feed, and how each member is read. */
import type { Category } from '../../model/source.ts';
import { FORMATS } from '../formats/parse-feed.ts';
import type { Feed, FeedFormat } from './feed.ts';

type Given = Readonly<Record<string, unknown>>;
type Override = Partial<Pick<Feed, 'url' | 'enabled' | 'everyHours'>>;

const OVERRIDES = ['url', 'enabled', 'everyHours'];
const REQUIRED = ['url', 'format', 'says'];
const MEMBERS = [...REQUIRED, 'enabled', 'everyHours', 'licence', 'terms', 'abuseWeight'];
const CATEGORIES_OF: Readonly<Record<Feed['entryKind'], readonly Category[]>> = {
  domain: ['disposable', 'not_disposable', 'known', 'shared_suffix', 'relay', 'spam', 'consumer'],
  range: ['relay', 'tor', 'vpn', 'proxy', 'datacenter', 'abuse'],
  asn: ['vpn', 'proxy', 'datacenter', 'abuse'],
};
const YEAR_HOURS = 8_760;
const DEFAULT_HOURS = 24;
const DEFAULT_ABUSE_WEIGHT = 30;

/** @param base where a relative `file:` URL starts. @throws Error that says what is wrong */
export function readOverride(given: Given, base: URL): Override {
  refuseStrangers(given, OVERRIDES);
  return {
    ...(given.url === undefined ? {} : { url: readUrl(given.url, base) }),
    ...(given.enabled === undefined ? {} : { enabled: readSwitch(given.enabled) }),
    ...(given.everyHours === undefined ? {} : { everyHours: readHours(given.everyHours) }),
  };
}

/** @param base where a relative `file:` URL starts. @throws Error that says what is wrong */
export function readAdded(id: string, given: Given, base: URL): Feed {
  const missing = REQUIRED.find((name) => given[name] === undefined);
  if (missing !== undefined) {
    throw new Error(
      `is no feed of the table; to add one, it needs ${quoted(REQUIRED)}; "${missing}" is missing`,
    );
  }
  refuseStrangers(given, MEMBERS);
  const format = oneOf('format', given.format, Object.keys(FORMATS) as FeedFormat[]);
  const { entryKind, categories = CATEGORIES_OF[entryKind] } = FORMATS[format];
  const category = oneOf('says', given.says, categories, ` in a feed of format "${format}"`);
  if (given.abuseWeight !== undefined && category !== 'abuse') {
    throw new Error('"abuseWeight" is only for a feed that says "abuse"');
  }
  return {
    id,
    url: readUrl(given.url, base),
    format,
    category,
    entryKind,
    licence: given.licence === undefined ? 'unstated' : readText('licence', given.licence),
    ...(given.terms === undefined ? {} : { terms: readText('terms', given.terms) }),
    everyHours: given.everyHours === undefined ? DEFAULT_HOURS : readHours(given.everyHours),
    enabled: given.enabled === undefined ? true : readSwitch(given.enabled),
    ...(category === 'abuse' ? { abuseWeight: readWeight(given.abuseWeight ?? DEFAULT_ABUSE_WEIGHT) } : {}),
  };
}

function refuseStrangers(given: Given, allowed: readonly string[]): void {
  const stranger = Object.keys(given).find((name) => !allowed.includes(name));
  if (stranger === undefined) return;
  throw new Error(`${JSON.stringify(stranger)} cannot be set here; what can be is ${quoted(allowed)}`);
}

function readUrl(value: unknown, base: URL): string {
  if (typeof value !== 'string' || !/^(?:https?|file):/i.test(value) || !URL.canParse(value, base.href)) {
    throw new Error('"url" must be an https:, http: or file: URL');
  }
  const url = new URL(value, base);
  if (url.username !== '' || url.password !== '') throw new Error('"url" must not hold a password');
  if (url.protocol === 'file:' && url.host !== '') {
    throw new Error(
      `"url" names the machine ${url.host}; write file:///… or, from this file’s folder, file:…`,
    );
  }
  return url.href;
}

function readSwitch(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new Error('"enabled" must be true or false');
  return value;
}

function readHours(value: unknown): number {
  if (typeof value === 'number' && value > 0 && value <= YEAR_HOURS) return value;
  throw new Error(`"everyHours" must be a number above 0, ${YEAR_HOURS} at most`);
}

function readWeight(value: unknown): number {
  if (typeof value === 'number' && value >= 1 && value <= 100) return value;
  throw new Error('"abuseWeight" must be a number from 1 to 100');
}

function readText(name: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new Error(`"${name}" must be a text`);
}

function oneOf<const T extends string>(name: string, value: unknown, allowed: readonly T[], where = ''): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new Error(`"${name}" must be one of ${quoted(allowed)}${where}`);
  return found;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
