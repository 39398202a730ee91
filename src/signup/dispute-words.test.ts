import { describe, expect, it } from 'vitest';
import { ordinaryEvidence } from '../../test/support/any-evidence.ts';
import type { EmailEvidence, Hit } from '../model/evidence.ts';
import { describeDispute } from './dispute-words.ts';

const hit = (fact: string, source: string, entry: string): Hit => ({ fact, source, entry });
const describeChanged = (changes: Partial<EmailEvidence>) =>
  describeDispute(ordinaryEvidence({ email: changes }).email);

describe('a disputed listing', () => {
  it('names its lists and the reasons against them', () => {
    expect(
      describeChanged({
        domain: 'mail.blogs.com',
        hits: [
          hit('disposable', 'mailchecker', 'blogs.com'),
          hit('disposable', 'disposable-mx', 'blogs.com'),
          hit('popular', 'popular-domains', 'blogs.com'),
        ],
        sharedSuffix: 'blogs.com',
      }),
    ).toBe(
      'blogs.com is on 2 lists of disposable domains (mailchecker, disposable-mx), but blogs.com is one of the most popular domains, and strangers get names under blogs.com',
    );
  });

  it.each<[Partial<EmailEvidence>, string]>([
    [
      { hits: [hit('known', 'known-domains', 'acme.example')] },
      'acme.example is known as an ordinary domain',
    ],
    [
      { hits: [hit('labelled_good', 'feedback', 'acme.example')] },
      'you reported signups from acme.example as good customers',
    ],
    [{ hits: [hit('known', 'institutional-suffixes', 'x.edu')] }, 'its suffix is kept for institutions'],
    [
      { hits: [hit('provider', 'provider-mail-host', 'mta5.am0.yahoodns.net')] },
      'its mail is at mta5.am0.yahoodns.net, a host of the provider that it looks like',
    ],
    [
      { hits: [hit('mistyped', 'typing-targets', 'gmial.com')] },
      'its name is a typing mistake of a large provider',
    ],
    [
      { hits: [hit('established', 'mail-host', 'mx.acme.example')], age: { days: 4_000, status: 'known' } },
      'it was registered 4000 days ago, and its mail host mx.acme.example serves ordinary domains',
    ],
    [
      {
        hits: [hit('established', 'own-mail-host', 'mx.acme.example')],
        age: { days: 9_000, status: 'known' },
      },
      'it was registered 9000 days ago, and it has a mail host of its own, mx.acme.example',
    ],
    [
      {
        hits: [hit('established', 'paid-mail-host', 'aspmx.l.google.com')],
        age: { days: 9_000, status: 'known' },
      },
      'it was registered 9000 days ago, and its mail is at aspmx.l.google.com, where mailboxes cost money',
    ],
  ])('says why: %#', (changes, because) => {
    const hits = [hit('disposable', 'mailchecker', 'acme.example'), ...(changes.hits ?? [])];
    expect(describeChanged({ domain: 'acme.example', ...changes, hits })).toBe(
      `acme.example is on a list of disposable domains (mailchecker), but ${because}`,
    );
  });
});
