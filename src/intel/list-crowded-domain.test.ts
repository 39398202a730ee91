import { expect, it } from 'vitest';
import { BASELINE_FILE } from './baseline.ts';
import { isCrowdedDomain } from './list-crowded-domain.ts';
import { readListValue } from './list-value.ts';
import { openSnapshot } from './snapshot.ts';

const intel = await openSnapshot(BASELINE_FILE);

it.each([
  ['co.uk', true],
  ['.shop', true],
  ['github.io', true],
  ['jo.github.io', false],
  ['duckdns.org', true],
  ['gmail.com', true],
  ['jo@gmail.com', false],
  ['example.co.uk', false],
  ['mailinator.com', false],
  ['203.0.113.7', false],
])('whether an entry for %s concerns strangers: %s', (text, crowded) => {
  expect(isCrowdedDomain(readListValue(text), intel)).toBe(crowded);
});
