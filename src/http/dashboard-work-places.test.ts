import { describe, expect, it } from 'vitest';
import { Problem } from '../contract/problem.ts';
import { createWorkPlaces } from './dashboard-work-places.ts';

const OPTIONS = { what: 'exports', perAccount: 2, inAll: 3, retryAfterSeconds: 10 };

describe('places for long work', () => {
  const refusalOf = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      const { status, code, retryAfterSeconds } = error as Problem;
      return { status, code, retryAfterSeconds };
    }
    throw new Error('was not refused');
  };

  it('leaves places to others when an account has all of its own', () => {
    const { enter } = createWorkPlaces(OPTIONS);
    enter('acc_a');
    enter('acc_a');
    expect(refusalOf(() => enter('acc_a'))).toEqual({
      status: 429,
      code: 'rate_limit',
      retryAfterSeconds: 10,
    });
    enter('acc_b');
    expect(refusalOf(() => enter('acc_c'))).toEqual({
      status: 503,
      code: 'unavailable',
      retryAfterSeconds: 10,
    });
  });

  it('gives a place back once, however often it is left', () => {
    const { enter } = createWorkPlaces(OPTIONS);
    const leave = enter('acc_a');
    enter('acc_a');
    leave();
    leave();
    enter('acc_a');
    expect(() => enter('acc_a')).toThrow(Problem);
  });
});
