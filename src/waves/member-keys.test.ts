import { expect, it } from 'vitest';
import { campaignId } from './campaign-id.ts';
import { hexOf, keyOfText } from './group-key.ts';
import { rangeOf } from './scopes.ts';

it.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::/64', '2001:db8::/48'],
])('the range of %s is %s', (network, range) => {
  expect(rangeOf(network)).toBe(range);
});

it('keys are 16 hex digits, and no two of a hundred thousand are the same', () => {
  const keys = Array.from({ length: 100_000 }, (_, number) => hexOf(keyOfText(`domain d${number}.example`)));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.filter((key) => !/^[\da-f]{16}$/.test(key))).toEqual([]);
});

it('ids are the same for the same, and sort by the first member', () => {
  const key = hexOf(keyOfText('domain a.example'));
  const id = campaignId('acc_a', key, 1_000);
  expect(id).toMatch(/^cmp_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(campaignId('acc_a', key, 1_000)).toBe(id);
  for (const other of [campaignId('acc_b', key, 1_000), campaignId('acc_a', `${key}0`, 1_000)])
    expect(other).not.toBe(id);
  expect(campaignId('acc_z', key, 999) < id).toBe(true);
  expect(campaignId('acc_a', key, 1_001) > id).toBe(true);
});
