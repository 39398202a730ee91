/** Decides whether a text is an email address, and what its canonical form is. */
import { domainToASCII, domainToUnicode } from 'node:url';
import type { EmailAddress } from '../model/signup-attempt.ts';
import { foldCase } from './fold-case.ts';
import { hasInvisible, trimInvisible } from './visible-text.ts';

const MAX_OCTETS = 254;
/** Max. UTF-16 units that are read: the longest decompositions of an address of 254 octets are shorter. */
const MAX_UNITS = 1_024;

// Nearly every address: taken as it is, without the rules that other scripts need.
const PLAIN =
  /^([a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,252})@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63})$/;

// No white space, controls, lone surrogates or signs that something could not be decoded, and none of the characters that
// need a quoted local part.
const LOCAL = /^[^\s"(),:;<>[\\\]\p{C}\p{Z}\ufffc\ufffd]+$/u;
const HOST_CHARACTERS = /^[a-z0-9.\-\u0080-\u{10ffff}]+$/iu;
const ASCII = /^[ -~]*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const LAST_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

/**
 * Parses one address; `undefined` when it fails the basic format. Never throws. All spellings of one address (NFC or NFD,
 * upper or lower case, an international domain in Unicode or punycode) give the same text, which parses to itself.
 */
export function parseEmail(text: string): EmailAddress | undefined {
  const lower = text.trim().toLowerCase();
  const plain = lower.length <= MAX_OCTETS && !lower.includes('xn--') ? PLAIN.exec(lower) : null;
  if (plain !== null) return { address: lower, local: plain[1] as string, domain: plain[2] as string };
  const trimmed = trimInvisible(text);
  if (trimmed.length > MAX_UNITS || hasInvisible(trimmed)) return undefined;
  const at = trimmed.indexOf('@');
  if (at < 1 || at !== trimmed.lastIndexOf('@')) return undefined;
  const local = foldCase(trimmed.slice(0, at));
  if (!LOCAL.test(local)) return undefined;
  // The octets of what was sent count, so that an international domain has the same limit in both of its forms.
  const host = trimmed.slice(at + 1).normalize('NFC');
  if (Buffer.byteLength(`${local}@${host}`) > MAX_OCTETS) return undefined;
  const domain = canonicalHost(host);
  if (domain === undefined) return undefined;
  const address = `${local}@${domain}`;
  return Buffer.byteLength(address) > MAX_OCTETS ? undefined : { address, local, domain };
}

function canonicalHost(text: string): string | undefined {
  if (!HOST_CHARACTERS.test(text)) return undefined;
  const lower = text.toLowerCase();
  // Punycode sent as such passes the same check as its Unicode form. IDNA folds the case of other scripts by itself.
  const plain = ASCII.test(text) && !lower.includes('xn--');
  const host = plain ? lower : domainToASCII(text);
  // Node.js 24 leaves Punycode that decodes to nothing as it is.
  if (host.length > 253 || (!plain && /(?:^|\.)xn--/.test(domainToUnicode(host)))) return undefined;
  const labels = host.split('.');
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return undefined;
  return LAST_LABEL.test(labels[labels.length - 1] as string) ? host : undefined;
}
