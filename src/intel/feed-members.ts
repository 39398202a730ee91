/** Decides which members an operator's file may have for one feed, and how each is read. */
import type { Category } from '../model/source.ts';
import type { Feed, FeedFormat } from './feed.ts';
import { FORMATS } from './feed-parse.ts';

type FeedSettings = Readonly<Record<string, unknown>>;
type Override = Partial<Pick<Feed, 'url' | 'enabled' | 'everyHours'>>;

const OVERRIDES = ['url', 'enabled', 'everyHours'];
const REQUIRED = ['url', 'format', 'says'];
const MEMBERS = [...REQUIRED, 'enabled', 'everyHours', 'licence', 'terms', 'abuseWeight'];
const CATEGORIES_OF: Readonly<Record<Feed['entryKind'], readonly Category[]>> = {
  domain: [
    ...(['disposable', 'not_disposable', 'known', 'institution', 'shared_suffix'] as const),
    ...(['relay', 'no_reply', 'sms_gateway', 'spam', 'consumer'] as const),
  ],
  range: ['relay', 'corporate', 'carrier', 'egress', 'tor', 'vpn', 'proxy', 'datacenter', 'abuse'],
  asn: ['corporate', 'carrier', 'vpn', 'proxy', 'datacenter', 'abuse'],
};
const YEAR_HOURS = 8_760;
const DEFAULT_HOURS = 24;
const DEFAULT_ABUSE_WEIGHT = 30;

/** @param base where a relative `file:` URL starts. @throws Error that says what is wrong */
export function readOverride(settings: FeedSettings, base: URL): Override {
  refuseUnknownMembers(settings, OVERRIDES);
  return {
    ...(settings.url === undefined ? {} : { url: readUrl(settings.url, base) }),
    ...(settings.enabled === undefined ? {} : { enabled: readSwitch(settings.enabled) }),
    ...(settings.everyHours === undefined ? {} : { everyHours: readHours(settings.everyHours) }),
  };
}

/** @param base where a relative `file:` URL starts. @throws Error that says what is wrong */
export function readAdded(id: string, settings: FeedSettings, base: URL): Feed {
  const missing = REQUIRED.find((name) => settings[name] === undefined);
  if (missing !== undefined) {
    throw new Error(
      `is not a feed of the table; to add one, set ${quoted(REQUIRED)}; "${missing}" is missing`,
    );
  }
  refuseUnknownMembers(settings, MEMBERS);
  const format = oneOf('format', settings.format, Object.keys(FORMATS) as FeedFormat[]);
  const { entryKind, categories = CATEGORIES_OF[entryKind] } = FORMATS[format];
  const category = oneOf('says', settings.says, categories, ` in a feed of format "${format}"`);
  if (settings.abuseWeight !== undefined && category !== 'abuse') {
    throw new Error('"abuseWeight" is only for a feed that says "abuse"');
  }
  return {
    id,
    url: readUrl(settings.url, base),
    format,
    category,
    entryKind,
    licence: settings.licence === undefined ? 'unstated' : readText('licence', settings.licence),
    ...(settings.terms === undefined ? {} : { terms: readText('terms', settings.terms) }),
    everyHours: settings.everyHours === undefined ? DEFAULT_HOURS : readHours(settings.everyHours),
    enabled: settings.enabled === undefined ? true : readSwitch(settings.enabled),
    ...(category === 'abuse'
      ? { abuseWeight: readWeight(settings.abuseWeight ?? DEFAULT_ABUSE_WEIGHT) }
      : {}),
  };
}

function refuseUnknownMembers(settings: FeedSettings, allowed: readonly string[]): void {
  const unknown = Object.keys(settings).find((name) => !allowed.includes(name));
  if (unknown === undefined) return;
  throw new Error(`${JSON.stringify(unknown)} cannot be set here; only ${quoted(allowed)}`);
}

function readUrl(value: unknown, base: URL): string {
  if (typeof value !== 'string' || !/^(?:https?|file):/i.test(value) || !URL.canParse(value, base.href)) {
    throw new Error('"url" must be an https:, http: or file: URL');
  }
  const url = new URL(value, base);
  if (url.username !== '' || url.password !== '') throw new Error('"url" must not contain a password');
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
