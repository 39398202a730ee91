import { describe, expect, it } from 'vitest';
import type { FirstSteps } from '../../../src/contract/dashboard-account.ts';
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';
import { newestOf, stepsOf } from './today-first-steps.ts';

const NOTHING: FirstSteps = {
  latest: { live: null, test: null },
  key_used: false,
  live_signup: false,
  people: 1,
  invited: 1,
};
const row = (mode: 'live' | 'test', at: string) => ({ mode, at }) as AssessmentRow;
const done = (steps: Partial<FirstSteps>) =>
  stepsOf({ ...NOTHING, ...steps })
    .filter((step) => step.done)
    .map(({ id }) => id);

describe('the first steps', () => {
  it.each([
    [{}, []],
    [{ key_used: true }, ['run']],
    [{ latest: { live: null, test: row('test', '2026-11-22T10:00:00Z') } }, ['run', 'see']],
    [
      {
        key_used: true,
        live_signup: true,
        latest: { live: row('live', '2026-11-22T10:00:00Z'), test: null },
      },
      ['run', 'see', 'signup'],
    ],
    [{ people: 2 }, ['invite']],
  ] as const)('of %j are done as far as that shows', (steps, expected) => {
    expect(done(steps)).toEqual(expected);
  });

  it('see the newest signup in the mode that it was made in', () => {
    const live = row('live', '2026-11-22T10:00:00.5Z');
    const test = row('test', '2026-11-22T10:00:01Z');
    expect(newestOf(NOTHING)).toBeNull();
    expect(newestOf({ ...NOTHING, latest: { live, test: null } })).toBe(live);
    expect(newestOf({ ...NOTHING, latest: { live, test } })).toBe(test);
  });
});
