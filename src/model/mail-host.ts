/** Decides which host handles the mail of a stored signup's domain, for what counts and searches signups without reading all their facts. */

/** Pair in the facts of those whose domain has mail exchanges. A text in them cannot have these quotes. */
const HOSTS_FACT = ',"hosts",["';

/** The exchange that mail is sent to first, lower case; `null`: none is known. PostgreSQL's statements read the same. */
export function mailHostOf(facts: string): string | null {
  const [, hosts] = facts.split(HOSTS_FACT, 2);
  return hosts?.split('"', 1)[0] ?? null;
}
