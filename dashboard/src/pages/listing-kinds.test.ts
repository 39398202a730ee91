import { describe, expect, it } from 'vitest';
import { canBe, isWide, kindOf, reachOf, shownAs } from './listing-kinds.ts';

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
    ['example.com + 203.0.113.7', 'domain_network', 'example.com + 203.0.113.7', false],
    ['example.com+AS64500', 'domain_network', 'example.com+AS64500', false],
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

  it('is no place of a domain without both, and is a shared office only at a place', () => {
    for (const typed of ['example.com +', '+ 203.0.113.7', 'example.com + FR', 'a.example + b.example'])
      expect(kindOf(typed), typed).toBeUndefined();
    for (const kind of ['ip', 'cidr', 'domain_network'] as const) expect(canBe('office', kind)).toBe(true);
    for (const kind of ['domain', 'asn', 'country', 'mailbox'] as const)
      expect(canBe('office', kind)).toBe(false);
    expect(canBe('deny', 'domain_network')).toBe(false);
    expect(reachOf('domain_network', 'example.com + 203.0.113.7')).toBe(
      'Signups with an address at example.com or below it that come from 203.0.113.7',
    );
  });

  it('is said with its reach', () => {
    expect(reachOf('country', 'fr')).toBe('All signups from France, good and bad,');
    expect(reachOf('domain', '.shop')).toBe('Signups with an address at any domain that ends in .shop');
  });
});
