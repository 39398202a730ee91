import { describe, expect, it } from 'vitest';
import { isWide, kindOf, reachOf, shownAs } from './listing-kinds.ts';

describe('what somebody types for a list', () => {
  it.each([
    ['jo@example.com', 'mailbox', 'jo@example.com', false],
    ['*.example.com', 'domain', 'example.com', false],
    ['.shop', 'domain', '.shop', true],
    ['203.0.113.7', 'ip', '203.0.113.7', false],
    ['203.0.113.0/24', 'cidr', '203.0.113.0/24', false],
    ['203.0.0.0/16', 'cidr', '203.0.0.0/16', false],
    ['203.0.0.0/15', 'cidr', '203.0.0.0/15', true],
    ['2001:db8::/32', 'cidr', '2001:db8::/32', false],
    ['2000::/3', 'cidr', '2000::/3', true],
    [' as64500', 'asn', 'AS64500', true],
    ['64500', 'asn', 'AS64500', true],
    ['fr', 'country', 'FR', true],
  ] as const)('%j is a %s, shown as %s; wide: %s', (typed, kind, shown, wide) => {
    expect(kindOf(typed)).toBe(kind);
    expect(shownAs(kind, typed)).toBe(shown);
    expect(isWide(kind, typed)).toBe(wide);
  });

  it('is an address in every spelling, or in this one alone', () => {
    expect(kindOf('jo@example.com')).toBe('mailbox');
    expect(kindOf('jo@example.com', true)).toBe('address');
    expect(kindOf('jo@example', true)).toBeUndefined();
    expect(kindOf('example.com', true)).toBe('domain');
    expect(reachOf('mailbox', 'jo@example.com')).toContain('another spelling');
    expect(reachOf('address', 'jo@example.com')).toContain('no other spelling');
  });

  it('is said with its reach', () => {
    expect(reachOf('country', 'fr')).toBe('All signups from France, good and bad,');
    expect(reachOf('domain', '.shop')).toBe('Signups with an address at any domain that ends in .shop');
  });
});
