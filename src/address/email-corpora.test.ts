/**
 * The public addresses with which validator.js, Apache Commons Validator and, in the latter, RFC 822 test whether an address
 * is valid (`test/fixtures/email-corpora.json`; docs/data-sources.md has their sources and licences). Gatehouse says the
 * same, but for what its own format decides otherwise: each difference has its reason here.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseEmail } from './email.ts';

interface Corpus {
  readonly source: string;
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

const FILE = new URL('../../test/fixtures/email-corpora.json', import.meta.url);
const CORPORA = Object.entries(JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Corpus>);

/** Addresses that Gatehouse refuses though they accept it, by what shows it in the text. */
const REFUSED: readonly [why: string, shown: RegExp][] = [
  ['quoted local parts are not accepted: no mailbox of a person has one', /^\s*"[^<]*"[^<]*@/],
  ['a display name and angle brackets: an API is sent the address alone', /<.*>\s*$/s],
  ['address literals are not accepted: people have mailboxes at domains', /@\s*\[/],
  ['a comment: an API is sent the address alone', /\([^)]*\)/],
  ['a group of addresses, or a list', /[:;,]/],
  ['white space inside', /\S\s+\S/],
  ['a backslash that quotes a character', /\\/],
  ['a host name without a dot', /@[^.]+$/],
];

/** Addresses that Gatehouse accepts though they refuse it. */
const ACCEPTED: readonly [why: string, addresses: readonly string[]][] = [
  ['white space at the ends is trimmed', [' joeblow@apache.org', 'joeblow@apache.org ']],
  [
    'dots at the ends or in a row: Japanese carriers gave such addresses, and Gmail ignores dots',
    [
      'multiple..dots@stillinvalid.com',
      'gmail...ignores...dots...@gmail.com',
      'ends.with.dot.@gmail.com',
      'multiple..dots@gmail.com',
      'joe.@apache.org',
      '.joe@apache.org',
      '.@apache.org',
      'joe..ok@apache.org',
      '..@apache.org',
    ],
  ],
  [
    'the address may have 254 octets; its local part has no limit of its own',
    [
      'john56789.john56789.john56789.john56789.john56789.john56789.john5@example.com',
      `${'\uff47\uff4d\uff41\uff49\uff4c'.repeat(5)}@gmail.com`,
    ],
  ],
  ['IDNA maps full-width letters: this is gmail.com', ['somename@\uff47\uff4d\uff41\uff49\uff4c.com']],
  [
    'a top-level domain that nobody knows: DNS denies it',
    ['username@domain.com\u00a9', 'joe@localhost.localdomain'],
  ],
];
const acceptedHere = new Set(ACCEPTED.flatMap(([, addresses]) => addresses));

describe.each(CORPORA)('%s', (_, { valid, invalid }) => {
  it('accepts what is valid, but for what the format leaves out with a reason', () => {
    const refused = valid.filter((text) => parseEmail(text) === undefined);
    expect(refused.filter((text) => !REFUSED.some(([, shown]) => shown.test(text)))).toEqual([]);
    // The reasons excuse nothing that is accepted.
    const accepted = valid.filter((text) => !refused.includes(text));
    expect(accepted.length).toBeGreaterThan(0);
    expect(accepted.filter((text) => REFUSED.some(([, shown]) => shown.test(text)))).toEqual([]);
  });

  it('refuses what is invalid, but for what the format accepts with a reason', () => {
    const accepted = invalid.filter((text) => parseEmail(text) !== undefined);
    expect(accepted.filter((text) => !acceptedHere.has(text))).toEqual([]);
  });
});

it('accepts everything that is said to be accepted, and each is in a corpus', () => {
  const refused = new Set(CORPORA.flatMap(([, { invalid }]) => invalid));
  for (const text of acceptedHere) {
    expect(parseEmail(text)).toBeDefined();
    expect(refused).toContain(text);
  }
});

it('refuses every control character inside, as both libraries do', () => {
  const controls = [...Array.from({ length: 32 }, (_, code) => code), 127].map((code) =>
    String.fromCharCode(code),
  );
  for (const control of controls) {
    expect(parseEmail(`foo${control}bar@domain.com`)).toBeUndefined();
    expect(parseEmail(`foo@do${control}main.com`)).toBeUndefined();
  }
});
