import { expect, it } from 'vitest';
import { aUsualDomain } from '../../test/support/a-usual-domain.ts';
import { createUsualIndex } from './usual-index.ts';

const DAY_MS = 86_400_000;
const uni = aUsualDomain('acc_a', 'uni.example');

it('knows a usual domain and the names below it, for its own account, until nobody has come for long', () => {
  const index = createUsualIndex();
  index.put(uni);
  for (const domain of ['uni.example', 'cs.uni.example', 'a.b.uni.example'])
    expect(index.find('acc_a', domain, uni.lastAt)).toEqual(uni);
  for (const domain of ['other.example', 'myuni.example', 'example'])
    expect(index.find('acc_a', domain, uni.lastAt)).toBeUndefined();
  expect(index.find('acc_b', 'uni.example', uni.lastAt)).toBeUndefined();
  expect(index.find('acc_a', 'uni.example', uni.lastAt + 89 * DAY_MS)).toEqual(uni);
  expect(index.find('acc_a', 'uni.example', uni.lastAt + 91 * DAY_MS)).toBeUndefined();
});

it('forgets what is usual no more, and a removed account', () => {
  const index = createUsualIndex();
  for (const row of [uni, aUsualDomain('acc_b', 'uni.example')]) index.put(row);
  index.put({ ...uni, people: 0 });
  expect(index.find('acc_a', 'uni.example', uni.lastAt)).toBeUndefined();
  expect([...index.all()].map(({ accountId }) => accountId)).toEqual(['acc_b']);
  index.removeAccount('acc_b');
  expect([...index.all()]).toEqual([]);
});
