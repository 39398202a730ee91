import { describe, expect, it } from 'vitest';
import { createGoodReports, type Report } from './good-reports.ts';

const good = (domain: string): Report => ({ domain, good: true });
const bad = (domain: string): Report => ({ domain, good: false });
const settled = () => new Promise((resolve) => setImmediate(resolve));

function reports(listOf: (account: string) => Promise<readonly Report[]>) {
  let now = 1_000_000;
  const questions: string[] = [];
  const read = (account: string) => {
    questions.push(account);
    return listOf(account);
  };
  const { isGood } = createGoodReports({ read, clock: () => now, ttlMs: 60_000 });
  return { isGood, questions, pass: (ms: number) => (now += ms) };
}

describe('reports of an account', () => {
  it('make a domain good if there are two more good than bad ones, for that account only', async () => {
    const { isGood } = reports(async (account) =>
      account === 'acme'
        ? [good('a.com'), good('a.com'), good('b.com'), good('c.com'), good('c.com'), bad('c.com')]
        : [],
    );
    for (const account of ['acme', 'other']) expect(isGood(account, 'a.com')).toBe(false);
    await settled();
    expect(['a.com', 'b.com', 'c.com'].map((name) => isGood('acme', name))).toEqual([true, false, false]);
    expect(isGood('other', 'a.com')).toBe(false);
  });

  it('are read once a minute, and stay known while they cannot be read', async () => {
    let fails = false;
    const { isGood, questions, pass } = reports(async () => {
      if (fails) throw new Error('the store is away');
      return [good('a.com'), good('a.com')];
    });
    isGood('acme', 'a.com');
    await settled();
    for (let times = 0; times < 5; times += 1) expect(isGood('acme', 'a.com')).toBe(true);
    expect(questions).toEqual(['acme']);
    fails = true;
    pass(60_000);
    isGood('acme', 'a.com');
    await settled();
    expect(isGood('acme', 'a.com')).toBe(true);
    expect(questions).toEqual(['acme', 'acme']);
  });
});
