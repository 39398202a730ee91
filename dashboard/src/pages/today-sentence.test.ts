import { describe, expect, it } from 'vitest';
import type { Today } from '../../../src/contract/dashboard-today.ts';
import { createTimes } from '../ui/times.ts';
import { sentenceOf, shareInterval, sureOf, textOf } from './today-sentence.ts';

const QUIET: Today = {
  indexing: null,
  period: '24h',
  since: '2026-11-27T17:00:00.000Z',
  as_of: '2026-11-28T16:41:32.000Z',
  series: [],
  totals: { allow: 421, challenge: 24, block: 16, observed: { challenge: 0, block: 0 } },
  observed_keys: [],
  challenges: { passed: 0, failed: 0 },
  checked: { period: '7d', good: 2, fraud: 14 },
  unusual: { waves: 0, open: 0, over: 0 },
  latest: '2026-11-28T16:41:00.000Z',
  latency: { p50: 4, p95: 12 },
  intelligence: { sources: 23, stale: 0, refused: 0, oldest_seconds: 7_200 },
};
const UTC = createTimes('en-US', 'UTC');
const say = (today: Partial<Today>, times = UTC) => textOf(sentenceOf({ ...QUIET, ...today }, times));
const sure = (today: Partial<Today>) => {
  const parts = sureOf({ ...QUIET, ...today });
  return parts === null ? null : textOf(parts);
};
const NONE = { allow: 0, challenge: 0, block: 0, observed: { challenge: 0, block: 0 } };

describe('the sentence of a period', () => {
  it.each<[string, Partial<Today>, string]>([
    [
      'quiet',
      {},
      'Since yesterday 17:00: 461 signups, 16 fake ones blocked, 24 challenged, nothing unusual.',
    ],
    [
      'attacked',
      {
        totals: { ...QUIET.totals, allow: 400, block: 1_924 },
        unusual: { waves: 3, open: 1, over: 2 },
      },
      'Since yesterday 17:00: 2,348 signups, 1,924 fake ones blocked, 24 challenged, 3 waves, 1 open alert and 2 alerts that are over.',
    ],
    [
      'one wave',
      { unusual: { waves: 1, open: 0, over: 0 } },
      'Since yesterday 17:00: 461 signups, 16 fake ones blocked, 24 challenged, 1 wave.',
    ],
    ['no data', { totals: NONE, latest: null, unusual: null }, 'Since yesterday 17:00: no signups.'],
    [
      'shadow only',
      {
        totals: { allow: 3_358, challenge: 0, block: 0, observed: { challenge: 246, block: 467 } },
        observed_keys: [{ id: 'key_m', name: 'Mobile app', challenge: 246, block: 467 }],
      },
      'Since yesterday 17:00: 4,071 signups, none blocked or challenged, 713 let in that “Mobile app”, which only observes, would have stopped, nothing unusual.',
    ],
    [
      'too young to know what is usual',
      { totals: { ...NONE, allow: 1, block: 1 }, unusual: null },
      'Since yesterday 17:00: 2 signups, 1 fake one blocked.',
    ],
  ])('%s is said as a person would', (_, today, text) => {
    expect(say(today)).toBe(text);
  });

  it('begins by the clock of the account', () => {
    expect(say({}, createTimes('en-US', 'Asia/Kolkata'))).toMatch(/^Since yesterday 22:30: /);
    expect(say({ since: '2026-11-28T00:00:00.000Z' })).toMatch(/^Since today 00:00: /);
    expect(say({ period: '7d', since: '2026-11-22T00:00:00.000Z' })).toMatch(/^Since Sun, Nov 22: /);
    expect(say({ period: '30d', since: '2026-10-30T00:00:00.000Z' })).toMatch(/^Since Oct 30: /);
  });

  it('never calls signups blocked that were only observed', () => {
    const totals = { allow: 1, challenge: 0, block: 2, observed: { challenge: 0, block: 5 } };
    const blocked = sentenceOf({ ...QUIET, totals }, UTC).find(({ text }) => text.includes('blocked'));
    expect(blocked).toEqual({
      text: '2 fake ones blocked',
      filter: { period: '24h', verdict: 'block', shadow: 'false' },
    });
  });
});

describe('how sure it is', () => {
  it('says both labels, and what so few of them leave possible', () => {
    expect(sure({})).toBe(
      'How sure: of 16 blocked in the last 7 days and checked, 14 were fraud and 2 good customers: 88% fraud. With so few checks, the real share is somewhere from 64% to 97%.',
    );
    expect(sure({ checked: { period: '30d', good: 20, fraud: 380 } })).toBe(
      'How sure: of 400 blocked in the last 30 days and checked, 380 were fraud and 20 good customers: 95% fraud, between 92% and 97% with 95% confidence.',
    );
  });

  it('says that nobody has checked, and nothing where nobody was blocked', () => {
    const checked = { period: '7d', good: 0, fraud: 0 } as const;
    expect(sure({ checked })).toBe(
      'How sure: nobody has checked the blocked ones of the last 7 days yet. Check some',
    );
    expect(sure({ checked, totals: NONE })).toBeNull();
  });

  it('is the interval of Wilson', () => {
    const rounded = (part: number, of: number) => shareInterval(part, of).map((share) => share.toFixed(3));
    expect(rounded(14, 16)).toEqual(['0.640', '0.965']);
    expect(rounded(0, 10)).toEqual(['0.000', '0.278']);
    expect(rounded(5, 5)).toEqual(['0.566', '1.000']);
    expect(shareInterval(0, 0)).toEqual([0, 1]);
  });
});
