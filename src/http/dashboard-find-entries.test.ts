import { expect, it } from 'vitest';
import { toListSearch } from './dashboard-find-entries.ts';

const hashesOf = (address: string) => ({ address: [`a ${address}`], mailbox: [`m ${address}`] });

it('looks for a person by hashes, and for the domain and all above it', () => {
  expect(
    toListSearch(
      { words: 'jo@mail.example.com', email: 'jo@mail.example.com', domain: 'mail.example.com' },
      hashesOf,
    ),
  ).toEqual({
    values: ['a jo@mail.example.com', 'm jo@mail.example.com', 'mail.example.com', 'example.com', 'com'],
    prefixes: [],
  });
});

it('looks for an address or a block by every block that contains it', () => {
  const { values } = toListSearch({ words: '203.0.113.9', ip: '203.0.113.9' }, hashesOf);
  expect(values).toHaveLength(34);
  expect(values).toEqual(
    expect.arrayContaining(['203.0.113.9', '203.0.113.8/31', '203.0.113.0/24', '203.0.0.0/16', '0.0.0.0/0']),
  );
  const block = toListSearch({ words: '203.0.113.0/24', ip: '203.0.113.0/24' }, hashesOf).values;
  expect(block).toContain('203.0.113.0/24');
  expect(block).not.toContain('203.0.113.0/25');
  expect(toListSearch({ words: '2001:db8::1', ip: '2001:db8::1' }, hashesOf).values).toContain(
    '2001:db8::/32',
  );
});

it('looks for beginnings in both cases, as values have them', () => {
  expect(toListSearch({ words: 'As649', asn: 649 }, hashesOf)).toEqual({
    values: ['AS649'],
    prefixes: ['as649', 'AS649'],
  });
});
