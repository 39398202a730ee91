import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseIp } from '../address/ip.ts';
import { createListIndex, type IndexedEntry, type ListNetwork, type ListSubject } from './list-index.ts';
import { readListValue } from './list-value.ts';

const NOW = 1_000;
const HASH = 'hash-of-jo';
const MAILBOX = 'hash-of-the-mailbox';

interface Question {
  readonly subject: ListSubject;
  readonly network: ListNetwork | null;
}

/** `jo@mail.shop.example` from an IP in France. */
function question(ip: string | null = '203.0.113.7', domain = 'mail.shop.example', at = NOW): Question {
  return {
    subject: {
      at,
      addressHash: HASH,
      mailbox: MAILBOX,
      email: { domain },
      ip: ip === null ? null : (parseIp(ip) as ListSubject['ip']),
    },
    network: ip === null ? null : { asn: 64_500, countryCode: 'FR' },
  };
}

const HASHED: Readonly<Record<string, Pick<IndexedEntry, 'kind' | 'value'>>> = {
  [HASH]: { kind: 'address', value: HASH },
  [MAILBOX]: { kind: 'mailbox', value: MAILBOX },
};
let made = 0;
function entry(action: 'allow' | 'deny', text: string, expiresAt: number | null = null): IndexedEntry {
  made += 1;
  const { kind, value } = HASHED[text] ?? readListValue(text);
  return { id: `lst_${made}`, action, kind: kind as IndexedEntry['kind'], value, expiresAt };
}

function indexOf(entries: readonly IndexedEntry[]) {
  const index = createListIndex<IndexedEntry>();
  for (const entry of entries) index.put(entry);
  return index;
}

/** Entries for everything in the question, from the most to the least precise. */
const ORDER = [
  HASH,
  MAILBOX,
  '203.0.113.7',
  '203.0.113.6/31',
  '203.0.113.0/24',
  '203.0.0.0/16',
  '0.0.0.0/0',
  'mail.shop.example',
  'shop.example',
  '.example',
  'AS64500',
  'FR',
];
const PAIRS = ORDER.flatMap((precise, at) => ORDER.slice(at + 1).map((vague) => [precise, vague] as const));

describe('an address with a hash from before a rotation', () => {
  const email = { domain: 'shop.example', local: 'jo+x', address: 'jo+x@shop.example' };
  const subject = { ...question().subject, email };
  const indexOfBoth = (...entries: IndexedEntry[]) => {
    const index = createListIndex<IndexedEntry>((address) => [`old ${address}`]);
    for (const each of entries) index.put(each);
    return index;
  };
  const older = (action: 'allow' | 'deny') => ({ ...entry(action, HASH), value: 'old jo+x@shop.example' });
  const olderMailbox = (action: 'allow' | 'deny') => ({
    ...entry(action, MAILBOX),
    value: 'old jo@shop.example',
  });

  it('is found, and wins over less precise entries', () => {
    const wanted = older('deny');
    expect(indexOfBoth(wanted, entry('allow', 'shop.example')).find(subject, null)).toBe(wanted);
  });

  it('is found as a mailbox, too', () => {
    const wanted = olderMailbox('deny');
    expect(indexOfBoth(wanted, entry('allow', 'shop.example')).find(subject, null)).toBe(wanted);
    const exact = older('allow');
    expect(indexOfBoth(wanted, exact).find(subject, null)).toBe(exact);
    expect(indexOfBoth(wanted, entry('allow', MAILBOX)).find(subject, null)?.action).toBe('allow');
  });

  it('with entries under both hashes, the allowing one decides', () => {
    for (const [old, fresh] of [
      [older('allow'), entry('deny', HASH)],
      [older('deny'), entry('allow', HASH)],
    ] as const)
      expect(indexOfBoth(old, fresh).find(subject, null)?.action).toBe('allow');
  });
});

describe('the more precise entry', () => {
  it('finds a visitor behind NAT64 by the IPv4 address and by ranges in any spelling, but not by one that covers all of NAT64', () => {
    const visitor = question('64:ff9b::203.0.113.7');
    const single = stored('ip', '203.0.113.7');
    const block = stored('cidr', '64:ff9b::cb00:7100/120');
    for (const query of [visitor, question('203.0.113.7')]) {
      expect(indexOf([single]).find(query.subject, query.network)).toBe(single);
      expect(indexOf([block]).find(query.subject, query.network)).toBe(block);
      const all = indexOf([stored('cidr', '64:ff9b::/96'), stored('cidr', '64:ff9b:1::/48')]);
      expect(all.find(query.subject, query.network)).toBeUndefined();
    }
  });

  it.each(PAIRS)('%s decides before %s, whatever either says', (precise, vague) => {
    const { subject, network } = question();
    for (const [first, second] of [
      ['allow', 'deny'],
      ['deny', 'allow'],
      ['deny', 'deny'],
    ] as const) {
      const [wins, loses] = [entry(first, precise), entry(second, vague)];
      expect(indexOf([wins, loses]).find(subject, network)).toBe(wins);
      expect(indexOf([loses, wins]).find(subject, network)).toBe(wins);
    }
  });

  it.each(ORDER)('of two for %s, the allowing one decides', (text) => {
    const { subject, network } = question();
    const [allow, deny] = [entry('allow', text), entry('deny', text)];
    expect(indexOf([deny, allow]).find(subject, network)).toBe(allow);
    expect(indexOf([allow, deny]).find(subject, network)).toBe(allow);
  });
});

describe('an entry that expired', () => {
  it.each(ORDER)('for %s leaves the decision to the next entry', (text) => {
    const [gone, stays] = [entry('allow', text, NOW), entry('deny', text)];
    const index = indexOf([gone, stays, entry('deny', 'AS64501')]);
    const before = question('203.0.113.7', 'mail.shop.example', NOW - 1);
    expect(index.find(before.subject, before.network)).toBe(gone);
    const { subject, network } = question();
    expect(index.find(subject, network)).toBe(stays);
  });
});

describe('an attempt that no entry matches', () => {
  it('is decided by no entry', () => {
    const index = indexOf(ORDER.map((text) => entry('deny', text)));
    const elsewhere: ListSubject = {
      at: NOW,
      addressHash: 'other',
      mailbox: 'other mailbox',
      email: { domain: 'notexample' },
      ip: parseIp('2001:db8::1') as ListSubject['ip'],
    };
    expect(index.find(elsewhere, { asn: 0, countryCode: '' })).toBeUndefined();
    expect(index.find({ ...elsewhere, ip: null }, null)).toBeUndefined();
    expect(indexOf([]).find(elsewhere, null)).toBeUndefined();
  });

  it('a name with the same ending is another name', () => {
    const index = indexOf([entry('deny', 'shop.example')]);
    const { subject } = question(null, 'bookshop.example');
    expect(index.find(subject, null)).toBeUndefined();
  });
});

const VALUES = [
  HASH,
  MAILBOX,
  '203.0.113.7',
  '203.0.113.6/31',
  '203.0.113.0/25',
  '203.0.113.0/24',
  '203.0.0.0/16',
  '198.51.100.0/24',
  '0.0.0.0/0',
  '2001:db8::/32',
  '2001:db8::/33',
  '2001:db8::/64',
  '2001:db8::7',
  '2001:db8:0:0:8000::/65',
  'mail.shop.example',
  'shop.example',
  'other.example',
  '.example',
  'AS64500',
  'AS64501',
  'FR',
  'DE',
];
const anEntry = fc
  .record({
    action: fc.constantFrom('allow' as const, 'deny' as const),
    text: fc.constantFrom(...VALUES),
    expiresAt: fc.constantFrom(null, NOW - 1, NOW, NOW + 1),
  })
  .map(({ action, text, expiresAt }) => entry(action, text, expiresAt));
const aQuestion = fc
  .record({
    ip: fc.constantFrom(
      null,
      '203.0.113.7',
      '203.0.113.200',
      '203.0.9.9',
      '2001:db8::7',
      '2001:db8:0:0:8000::1',
    ),
    domain: fc.constantFrom('mail.shop.example', 'shop.example', 'other.example', 'shop.other'),
  })
  .map(({ ip, domain }) => question(ip, domain));

describe('the index', () => {
  it('gives the same as a search through all entries, while entries are added and removed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anEntry, fc.nat(40)), { maxLength: 40 }),
        fc.array(aQuestion, { minLength: 1, maxLength: 6 }),
        (steps, questions) => {
          const index = createListIndex<IndexedEntry>();
          const everPut: IndexedEntry[] = [];
          let present: IndexedEntry[] = [];
          for (const step of steps) {
            if (typeof step === 'number') {
              const goes = everPut[step];
              if (goes === undefined) continue;
              index.remove(goes);
              present = present.filter((entry) => entry !== goes);
            } else {
              index.put(step);
              everPut.push(step);
              present = [...present.filter((entry) => !sameValue(entry, step)), step];
            }
            for (const query of questions) {
              expect(index.find(query.subject, query.network)).toBe(search(present, query));
            }
          }
          expect(index.size).toBe(present.length);
        },
      ),
    );
  });
});

function sameValue(a: IndexedEntry, b: IndexedEntry): boolean {
  return a.action === b.action && a.kind === b.kind && a.value === b.value;
}

/** An entry as it was stored before NAT64 addresses were unwrapped. */
const stored = (kind: 'ip' | 'cidr', value: string): IndexedEntry => ({
  ...entry('deny', 'DE'),
  kind,
  value,
});

/** The entry that decides, found by comparing all matching entries. */
function search(entries: readonly IndexedEntry[], query: Question): IndexedEntry | undefined {
  return entries
    .filter((entry) => speaks(entry, query))
    .toSorted((a, b) => precision(b) - precision(a) || (a.action === 'allow' ? -1 : 1))[0];
}

const RANK = { country: 0, asn: 1, domain: 1_000, cidr: 2_000, ip: 3_000, mailbox: 4_000, address: 5_000 };

function precision({ kind, value }: IndexedEntry): number {
  if (kind === 'domain') return RANK.domain + value.split('.').length;
  return RANK[kind] + (kind === 'cidr' ? Number(value.split('/')[1]) : 0);
}

function speaks({ kind, value, expiresAt }: IndexedEntry, { subject, network }: Question): boolean {
  if (expiresAt !== null && expiresAt <= subject.at) return false;
  const { ip, email } = subject;
  if (kind === 'address') return value === subject.addressHash;
  if (kind === 'mailbox') return value === subject.mailbox;
  if (kind === 'domain') return `.${email.domain}`.endsWith(`.${value}`);
  if (kind === 'ip') return ip?.text === value;
  if (kind === 'asn') return value === `AS${network?.asn}`;
  if (kind === 'country') return value === network?.countryCode;
  const [base = '', bits] = value.split('/');
  const block = parseIp(base);
  if (ip === null || block?.version !== ip.version) return false;
  return binary(ip.words).slice(0, Number(bits)) === binary(block.words).slice(0, Number(bits));
}

function binary(words: readonly number[]): string {
  return words.map((word) => word.toString(2).padStart(32, '0')).join('');
}
