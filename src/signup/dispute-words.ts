/** Describes a disputed listing: which lists call the domain disposable, and the reasons against that. */
import type { EmailEvidence, Hit } from '../model/evidence.ts';

/** Fact of a hit → the reason against a listing, in words. */
const AGAINST: Readonly<Record<string, (hit: Hit, email: EmailEvidence) => string>> = {
  known: ({ source, entry }) =>
    source === 'institutional-suffixes'
      ? 'its suffix is kept for institutions'
      : `${entry} is known as an ordinary domain`,
  mistyped: () => 'its name is a typing mistake of a large provider',
  provider: ({ entry }) => `its mail is at ${entry}, a host of the provider that it looks like`,
  labelled_good: ({ entry }) => `you reported signups from ${entry} as good customers`,
  popular: ({ entry }) => `${entry} is one of the most popular domains`,
  established: ({ source, entry }, { age }) =>
    `it was registered ${age.days} days ago, and ${HOSTS[source]?.(entry) ?? `its mail host is ${entry}`}`,
};

/** Source of such a hit → why the mail host speaks for the domain. */
const HOSTS: Readonly<Record<string, (host: string) => string>> = {
  'mail-host': (host) => `its mail host ${host} serves ordinary domains`,
  'own-mail-host': (host) => `it has a mail host of its own, ${host}`,
  'paid-mail-host': (host) => `its mail is at ${host}, where mailboxes cost money`,
};

/** One sentence, such as `blogs.com is on a list of disposable domains (mailchecker), but strangers get names under it`. */
export function describeDispute(email: EmailEvidence): string {
  const listings = email.hits.filter(({ fact }) => fact === 'disposable');
  const lists = [...new Set(listings.map(({ source }) => source))];
  const listed = listings[0]?.entry ?? email.domain;
  const because = email.hits.flatMap((hit) => AGAINST[hit.fact]?.(hit, email) ?? []);
  if (email.sharedSuffix === listed) because.push(`strangers get names under ${listed}`);
  const on = lists.length > 1 ? `on ${lists.length} lists` : 'on a list';
  const named = lists.length === 0 ? '' : ` (${lists.join(', ')})`;
  return `${listed} is ${on} of disposable domains${named}, but ${[...new Set(because)].join(', and ') || 'that is disputed'}`;
}
