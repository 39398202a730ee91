/** Decides which mailbox an address delivers to, by the rules its provider is known for. For counting only. */
import { readFileSync } from 'node:fs';
import type { EmailAddress } from '../model/signup-attempt.ts';

interface MailboxRule {
  readonly domains: readonly string[];
  readonly canonicalDomain?: string;
  /** What begins a tag within the local part. */
  readonly tag: string;
  readonly ignoreDots?: boolean;
  /** `anything@jo.example.com` goes to `jo@example.com`. */
  readonly subdomainIsLocal?: boolean;
}

const RULES = new Map<string, MailboxRule>(
  (
    JSON.parse(readFileSync(new URL('./mailbox-rules.json', import.meta.url), 'utf8')) as MailboxRule[]
  ).flatMap((rule) => rule.domains.map((domain) => [domain, rule] as const)),
);
const ELSEWHERE: MailboxRule = { domains: [], tag: '+' };

/** The canonical address of the mailbox; the address itself where nothing collapses. */
export function mailboxOf({ address, local, domain }: EmailAddress): string {
  const parent = domain.slice(domain.indexOf('.') + 1);
  const parentRule = RULES.get(parent);
  if (parentRule?.subdomainIsLocal === true) return `${domain.slice(0, domain.indexOf('.'))}@${parent}`;
  const rule = RULES.get(domain) ?? ELSEWHERE;
  const base = withoutTag(local, rule.tag);
  const name = rule.ignoreDots === true ? base.replaceAll('.', '') : base;
  if (name === '' || (name === local && rule.canonicalDomain === undefined)) return address;
  return `${name}@${rule.canonicalDomain ?? domain}`;
}

/** A tag that is the whole local part names a mailbox of its own. */
function withoutTag(local: string, tag: string): string {
  const at = local.indexOf(tag);
  return at > 0 ? local.slice(0, at) : local;
}
