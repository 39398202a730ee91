/** Decides which mailbox an address delivers to, by the rules its provider documents. For counting and finding a person only. */
import { readFileSync } from 'node:fs';
import type { EmailAddress } from '../model/signup-attempt.ts';
import { foldCase } from './fold-case.ts';

interface MailboxRule {
  /** Every name under which the provider delivers to the same mailboxes by the same rules. */
  readonly domains: readonly string[];
  /** The domain that stands for all of them, where `jo` is one person at all. */
  readonly canonicalDomain?: string;
  /** Text that begins a tag within the local part. */
  readonly tag: string;
  /** Characters that make no difference. */
  readonly ignored?: string;
  /** Characters that are each other: all count as the first. */
  readonly same?: string;
  /** `anything@jo.example.com` goes to `jo@example.com`. */
  readonly subdomainIsLocal?: boolean;
}

const RULES = new Map<string, MailboxRule>(
  (
    JSON.parse(readFileSync(new URL('./mailbox-rules.json', import.meta.url), 'utf8')) as MailboxRule[]
  ).flatMap((rule) => rule.domains.map((domain) => [domain, rule] as const)),
);
const ELSEWHERE: MailboxRule = { domains: [], tag: '+' };
const ASCII = /^[ -~]*$/;

/** The canonical address of the mailbox; the address itself where nothing collapses. */
export function mailboxOf({ address, local, domain }: EmailAddress): string {
  const dot = domain.indexOf('.');
  const parent = domain.slice(dot + 1);
  const parentRule = RULES.get(parent);
  if (parentRule?.subdomainIsLocal === true) return `${domain.slice(0, dot)}@${parent}`;
  const rule = RULES.get(domain) ?? ELSEWHERE;
  const name = nameOf(ASCII.test(local) ? local : withoutForms(local), rule);
  if (name === '' || (name === local && rule.canonicalDomain === undefined)) return address;
  return `${name}@${rule.canonicalDomain ?? domain}`;
}

/**
 * Full-width letters, ligatures and other forms of a character count as that character (NFKC), as UTS 39 asks for local
 * parts: `ｊｏ` is how a Japanese keyboard types `jo`. Letters of other scripts that look alike are other people.
 */
function withoutForms(local: string): string {
  return foldCase(local.normalize('NFKC'));
}

function nameOf(local: string, { tag, ignored, same }: MailboxRule): string {
  let name = withoutTag(local, tag);
  // Most providers have neither, and each signup comes by here.
  if (ignored !== undefined) for (const character of ignored) name = name.replaceAll(character, '');
  if (same !== undefined) for (const character of same) name = name.replaceAll(character, same.charAt(0));
  return name;
}

/** A tag that is the whole local part names a mailbox of its own. */
function withoutTag(local: string, tag: string): string {
  const at = local.indexOf(tag);
  return at > 0 ? local.slice(0, at) : local;
}
