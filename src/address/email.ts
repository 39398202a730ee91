/** Decides whether a text is an email address, and what its canonical form is. */
import { domainToASCII } from 'node:url';
import type { EmailAddress } from '../model/signup-attempt.ts';

const MAX_OCTETS = 254;

// Nearly every address: taken as it is, without the rules that other scripts need.
const PLAIN =
  /^([a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,252})@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63})$/;

// No white space, controls or lone surrogates, and none of the characters that need a quoted local part.
const LOCAL = /^[^\s"(),:;<>[\\\]\p{C}\p{Z}]+$/u;
const HOST_CHARACTERS = /^[a-z0-9.\-\u0080-\u{10ffff}]+$/u;
const ASCII = /^[ -~]*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const LAST_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

/** Parses one address; `undefined` when it fails the basic format. Never throws. */
export function parseEmail(text: string): EmailAddress | undefined {
  const trimmed = text.trim().toLowerCase();
  const plain = trimmed.length <= MAX_OCTETS && !trimmed.includes('xn--') ? PLAIN.exec(trimmed) : null;
  if (plain !== null) return { address: trimmed, local: plain[1] as string, domain: plain[2] as string };
  if (Buffer.byteLength(trimmed) > MAX_OCTETS) return undefined;
  const at = trimmed.indexOf('@');
  if (at < 1 || at !== trimmed.lastIndexOf('@')) return undefined;
  const local = trimmed.slice(0, at);
  if (!LOCAL.test(local)) return undefined;
  const domain = canonicalHost(trimmed.slice(at + 1));
  if (domain === undefined) return undefined;
  const address = `${local}@${domain}`;
  return Buffer.byteLength(address) > MAX_OCTETS ? undefined : { address, local, domain };
}

function canonicalHost(text: string): string | undefined {
  if (!HOST_CHARACTERS.test(text)) return undefined;
  // Punycode given as such passes the same check as the Unicode form it stands for.
  const plain = ASCII.test(text) && !text.includes('xn--');
  const host = plain ? text : domainToASCII(text);
  if (host.length > 253) return undefined;
  const labels = host.split('.');
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return undefined;
  return LAST_LABEL.test(labels[labels.length - 1] as string) ? host : undefined;
}
