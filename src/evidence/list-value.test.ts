import { describe, expect, it } from 'vitest';
import { keepListValue, readListValue } from './list-value.ts';

describe('readListValue', () => {
  it.each([
    [' Jo.Doe+x@Example.COM ', 'mailbox', 'jo.doe@example.com', 'j***@example.com'],
    ['J.D.O.E+x@GoogleMail.com', 'mailbox', 'jdoe@gmail.com', 'j***@gmail.com'],
    ['shop@jo.fastmail.com', 'mailbox', 'jo@fastmail.com', 'j***@fastmail.com'],
    ['jo@bücher.example', 'mailbox', 'jo@xn--bcher-kva.example', 'j***@xn--bcher-kva.example'],
    ['Example.COM', 'domain', 'example.com', 'example.com'],
    ['*.example.com', 'domain', 'example.com', 'example.com'],
    ['.example.com.', 'domain', 'example.com', 'example.com'],
    ['bücher.example', 'domain', 'xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['.XYZ', 'domain', 'xyz', '.xyz'],
    ['*.fr', 'domain', 'fr', '.fr'],
    ['203.0.113.7', 'ip', '203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', 'ip', '203.0.113.7', '203.0.113.7'],
    ['2001:DB8:0:0::7', 'ip', '2001:db8::7', '2001:db8::7'],
    ['203.0.113.7/32', 'ip', '203.0.113.7', '203.0.113.7'],
    ['2001:db8::7/128', 'ip', '2001:db8::7', '2001:db8::7'],
    ['203.0.113.0/24', 'cidr', '203.0.113.0/24', '203.0.113.0/24'],
    ['0.0.0.0/0', 'cidr', '0.0.0.0/0', '0.0.0.0/0'],
    ['::ffff:203.0.113.0/120', 'cidr', '203.0.113.0/24', '203.0.113.0/24'],
    ['64:ff9b::203.0.113.7', 'ip', '203.0.113.7', '203.0.113.7'],
    ['64:ff9b::203.0.113.0/120', 'cidr', '203.0.113.0/24', '203.0.113.0/24'],
    ['2001:DB8::/32', 'cidr', '2001:db8::/32', '2001:db8::/32'],
    ['64500', 'asn', 'AS64500', 'AS64500'],
    ['as064500', 'asn', 'AS64500', 'AS64500'],
    ['fr', 'country', 'FR', 'FR'],
    ['XK', 'country', 'XK', 'XK'],
  ])('%j is of kind %s: %s, shown as %s', (text, kind, value, shown) => {
    expect(readListValue(text)).toEqual({ kind, value, shown });
  });

  it('reads an exact address as itself, and nothing else as exact', () => {
    const read = { kind: 'address', value: 'j.d.o.e+x@googlemail.com', shown: 'j***@googlemail.com' };
    expect(readListValue(' J.D.O.E+x@GoogleMail.com', true)).toEqual(read);
    for (const text of ['example.com', '203.0.113.7', 'FR'])
      expect(() => readListValue(text, true)).toThrow('not an email address');
  });

  it.each([
    [' ', 'empty'],
    ['jo@', 'not an email address'],
    ['@example.com', 'write example.com'],
    ['203.0.113.7/24', 'the block is 203.0.113.0/24'],
    ['2001:db8:0:0:1::/64', 'the block is 2001:db8::/64'],
    ['203.0.113.0/33', 'not a CIDR block'],
    ['203.0.113.0/024', 'not a CIDR block'],
    ['203.0.113.0/24/8', 'not a CIDR block'],
    ['::ffff:203.0.113.0/90', 'not a CIDR block'],
    ['64:ff9b::/96', 'Write the IPv4 block'],
    ['::ffff:0:0/96', 'Write the IPv4 block'],
    ['example.com/24', 'not a CIDR block'],
    ['203.0.113', 'not an IP address'],
    ['203.0.113.256', 'not an IP address'],
    ['2001:db8::g', 'not an IP address'],
    ['10.0.0.1', 'not a public address'],
    ['127.0.0.1/32', 'not a public address'],
    ['::1', 'not a public address'],
    ['0', 'not an AS number'],
    ['AS4294967296', 'not an AS number'],
    ['ZZ', 'write .zz'],
    ['uk', 'use GB'],
    ['xyz', 'xyz is not an address'],
    ['com', 'For every domain that ends in .com, write .com.'],
    ['BÜCHER', 'write .xn--bcher-kva.'],
    ['.', 'not an IP address'],
    ['xyz.', 'xyz. is not an address'],
    ['exa mple.com', 'exa mple.com is not an address'],
    ['-x.example', 'is not an address'],
  ])('%j is refused: %s', (text, fault) => {
    expect(() => readListValue(text)).toThrow(fault);
  });

  it('gives no hint that would be refused itself', () => {
    expect(() => readListValue('a_b')).toThrow(/country code\.$/);
  });

  it('reads a shown value as the same entry, except for an address and a mailbox', () => {
    for (const text of ['.xyz', 'example.com', '2001:db8::/32', '2001:db8::7', 'AS64500', 'FR']) {
      const read = readListValue(text);
      expect(readListValue(read.shown)).toEqual(read);
    }
  });
});

describe('a stored address', () => {
  const hashes = { hashUnderAllKeys: (text: string) => [`new ${text}`, `old ${text}`] };
  const keep = (value: string) =>
    keepListValue(readListValue('jo@example.com'), { hashes, storeEmails: false }, [
      { kind: 'address', value: `exact ${value}` },
      { kind: 'mailbox', value },
    ]).value;

  it('has the hash under the newest key, or under the old key if such an entry exists', () => {
    expect(keep('new other@example.com')).toBe('new jo@example.com');
    expect(keep('old jo@example.com')).toBe('old jo@example.com');
  });

  it('is one thing, its mailbox another', () => {
    const known = [{ kind: 'mailbox', value: 'old jo@example.com' }] as const;
    const exact = readListValue('jo@example.com', true);
    const kept = keepListValue(exact, { hashes, storeEmails: true }, known);
    expect(kept).toEqual({ kind: 'address', value: 'new jo@example.com', shown: 'jo@example.com' });
  });
});
