/** Decides what the text of a list entry means: its kind, its canonical value, and the form that people see. */
import { alignBlock, parseBlock, writeBlock } from '../address/block.ts';
import { parseEmail } from '../address/email.ts';
import { maskEmail } from '../address/fingerprint.ts';
import { carriesIpv4, parseIp, readIp } from '../address/ip.ts';
import { mailboxOf } from '../address/mailbox.ts';
import { trimInvisible } from '../address/visible-text.ts';
import { isHashedKind, joinDomainNetwork, type ListAction, type ListKind } from '../model/list-entry.ts';
import { isCountry } from '../platform/country-names.ts';

export interface ListValue {
  readonly kind: ListKind;
  /**
   * Canonical: an address, the canonical address of a mailbox, or a domain in lower-case ASCII, an IP as the contract writes it, a block with its host
   * bits zero, `AS64500`, or an ISO 3166-1 alpha-2 code. One address is an `ip`, never a /32 or /128.
   */
  readonly value: string;
  /** The value, but for an address or a mailbox its masked form, and for a top-level domain its name after a dot. */
  readonly shown: string;
}

const HIGHEST_ASN = 4_294_967_295;

/**
 * @param exact an address means this spelling alone, not all that reach its mailbox
 * @throws Error with one sentence that says what the value should be
 */
export function readListValue(text: string, exact = false): ListValue {
  const value = trimInvisible(text);
  if (value === '') throw new Error('The value is empty.');
  if (value.includes('@')) return readAddress(value, exact);
  if (exact) throw new Error(`${value} is not an email address, and \`exact\` is for one.`);
  if (value.includes('+')) return readDomainNetwork(value);
  if (value.includes('/')) return readBlock(value);
  if (/^[\d.]+$/.test(value) ? value.includes('.') : value.includes(':')) return readSingleIp(value);
  if (/^(?:as)?\d+$/i.test(value)) return readAsn(value);
  if (/^[a-z]{2}$/i.test(value)) return readCountry(value.toUpperCase());
  return readDomain(value);
}

/** Values that a text may mean: an address its mailbox, and itself; nothing if it is no value. */
export function readListValues(text: string): readonly ListValue[] {
  try {
    const value = readListValue(text);
    return value.kind === 'mailbox' ? [value, readListValue(text, true)] : [value];
  } catch {
    return [];
  }
}

/**
 * Reads the value of an entry with this action. @throws Error with one sentence that says what the value should be
 */
export function readListValueFor(action: ListAction, text: string, exact = false): ListValue {
  const value = readListValue(text, exact);
  const isPair = value.kind === 'domain_network';
  if (action !== 'office') {
    if (!isPair) return value;
    throw new Error(`${value.shown} can only be a shared office; allow or block a domain or an IP address.`);
  }
  if (isPair || value.kind === 'ip' || value.kind === 'cidr') return value;
  throw new Error(
    `${value.shown} is no shared office: that is an IP address or a CIDR block, or a domain with one: example.com + 203.0.113.7.`,
  );
}

/** The place may also be a network: with a domain, it does not mean everybody there. */
function readDomainNetwork(text: string): ListValue {
  const [before = '', after = '', ...more] = text.split('+').map((part) => part.trim());
  const isFull = before !== '' && after !== '' && more.length === 0;
  const domain = isFull ? readListValue(before) : undefined;
  const network = isFull ? readListValue(after) : undefined;
  const isPlace = network !== undefined && ['ip', 'cidr', 'asn'].includes(network.kind);
  if (domain?.kind !== 'domain' || !domain.value.includes('.') || !isPlace)
    throw new Error(
      `${text} is not a domain with an IP address, a CIDR block or an AS number; one looks like example.com + 203.0.113.7.`,
    );
  return shownAsIs('domain_network', joinDomainNetwork(domain.value, network.value));
}

function readAddress(text: string, exact: boolean): ListValue {
  const email = parseEmail(text);
  if (email === undefined) {
    const hint = text.startsWith('@') ? ` For a domain, write ${text.slice(1)}.` : '';
    throw new Error(`${text} is not an email address.${hint}`);
  }
  if (exact) return { kind: 'address', value: email.address, shown: maskEmail(email) };
  const mailbox = mailboxOf(email);
  const at = mailbox.lastIndexOf('@');
  const canonical = { address: mailbox, local: mailbox.slice(0, at), domain: mailbox.slice(at + 1) };
  return { kind: 'mailbox', value: mailbox, shown: maskEmail(canonical) };
}

function readSingleIp(text: string): ListValue {
  const reading = readIp(text);
  if (reading.status === 'ok') return shownAsIs('ip', reading.address.text);
  const fault =
    parseIp(text) === undefined
      ? 'is not an IP address'
      : 'is not a public address, so nobody signs up from it';
  throw new Error(`${text} ${fault}.`);
}

function readBlock(text: string): ListValue {
  const block = parseBlock(text);
  if (block === undefined) throw new Error(`${text} is not a CIDR block; one looks like 203.0.113.0/24.`);
  if (block.base.version === 6 && carriesIpv4(block.base.words)) {
    throw new Error(
      `${text} is not a CIDR block of visitors: they are known by their IPv4 address. Write the IPv4 block.`,
    );
  }
  const aligned = alignBlock(block);
  if (aligned.base.text !== block.base.text) {
    throw new Error(`${text} has bits beyond its prefix; the block is ${writeBlock(aligned)}.`);
  }
  if (block.bits === block.base.words.length * 32) return readSingleIp(block.base.text);
  return shownAsIs('cidr', writeBlock(block));
}

function readAsn(text: string): ListValue {
  const number = Number(text.replace(/^as/i, ''));
  if (number < 1 || number > HIGHEST_ASN)
    throw new Error(`${text} is not an AS number; one looks like AS64500.`);
  return shownAsIs('asn', `AS${number}`);
}

function readCountry(code: string): ListValue {
  if (!isCountry(code)) {
    throw new Error(
      `${code} is not an ISO 3166-1 country code. For a top-level domain, write .${code.toLowerCase()}.`,
    );
  }
  const today = new Intl.Locale(`und-${code}`).region;
  if (today !== code) throw new Error(`${code} is not an ISO 3166-1 country code; use ${today}.`);
  return shownAsIs('country', code);
}

/** `*.example.com` and `.example.com` mean the name itself, which includes all names below it. */
function readDomain(text: string): ListValue {
  const name = text.replace(/^\*?\./, '').replace(/\.$/, '');
  if (name.includes('.')) {
    const host = parseEmail(`x@${name}`)?.domain;
    if (host !== undefined) return shownAsIs('domain', host);
  }
  const topLevel = name.includes('.') ? undefined : parseEmail(`x@x.${name}`)?.domain.slice('x.'.length);
  if (topLevel !== undefined && /^\*?\./.test(text))
    return { kind: 'domain', value: topLevel, shown: `.${topLevel}` };
  const hint =
    topLevel === undefined ? '' : ` For every domain that ends in .${topLevel}, write .${topLevel}.`;
  throw new Error(
    `${text} is not an address, domain, IP address, CIDR block, AS number or country code.${hint}`,
  );
}

function shownAsIs(kind: ListKind, value: string): ListValue {
  return { kind, value, shown: value };
}

/** Hashes under every key in use by which entries of the same person are found; none where it is no person. */
export function hashesOfPerson(
  { kind, value }: ListValue,
  { hashUnderAllKeys }: KeepListValue['hashes'],
): { readonly hashes: readonly string[]; readonly mailboxHashes: readonly string[] } {
  if (!isHashedKind(kind)) return { hashes: [], mailboxHashes: [] };
  const email = kind === 'address' ? parseEmail(value) : undefined;
  return {
    hashes: hashUnderAllKeys(value),
    mailboxHashes: email === undefined ? [] : hashUnderAllKeys(mailboxOf(email)),
  };
}

export interface KeepListValue {
  /** The hash of an address or a mailbox under every key in use, the newest first. */
  readonly hashes: { hashUnderAllKeys(text: string): readonly string[] };
  readonly storeEmails: boolean;
}

/**
 * Entry as it is kept: a person's address as its keyed hash, and shown in full only where assessments are too.
 * @param saved entries of the same action: one with a hash of an earlier key is changed, not doubled
 */
export function keepListValue(
  { kind, value, shown }: ListValue,
  { hashes, storeEmails }: KeepListValue,
  saved: readonly Pick<ListValue, 'kind' | 'value'>[] = [],
): ListValue {
  if (!isHashedKind(kind)) return { kind, value, shown };
  const all = hashes.hashUnderAllKeys(value);
  const known = all.find((hash) => saved.some((entry) => entry.kind === kind && entry.value === hash));
  return { kind, value: known ?? (all[0] as string), shown: storeEmails ? value : shown };
}
