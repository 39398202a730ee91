/** Failed sign-ins delay the client that fails, never a known device, an open session or other people. */
import { describe, expect, it } from 'vitest';
import { Problem } from '../contract/problem.ts';
import type { RequestContext } from './core/request-context.ts';
import {
  type Attempts,
  createAttempts,
  type PasswordOutcome,
  type Prover,
} from './dashboard-sign-in-attempts.ts';

const START = 1_800_000_000_000;
const OPERATOR = 'operator@example.com';
/** The headers of a request from the operator's own browser. */
const DEVICE = 'known-device';

function world() {
  let now = START;
  const attempts = createAttempts({
    devices: {
      recognise: async (cookie, email) => (cookie === DEVICE && email === OPERATOR ? DEVICE : undefined),
    },
    visitorOf: ({ ip, headers }) => ({ cookie: headers.cookie, network: ip }),
    clock: () => now,
  });
  return {
    attempts,
    wait: (ms: number) => {
      now += ms;
    },
  };
}

interface TryResult {
  readonly outcome: string;
  readonly resolution?: string | undefined;
  readonly retryAfter?: number | undefined;
}

/** The result of one try: its outcome, or the code of the refusal. */
async function tryOnce(
  attempts: Attempts,
  { who, ip = '192.0.2.1', cookie }: { who: Prover; ip?: string; cookie?: string },
  outcome: PasswordOutcome = 'wrong',
  work: () => Promise<unknown> = () => Promise.resolve(),
): Promise<TryResult> {
  const context = { ip, headers: { cookie } } as unknown as RequestContext;
  try {
    await attempts.provePassword(context, who, work, () => outcome);
    return { outcome };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code: outcome, resolution, retryAfterSeconds: retryAfter } = error;
    return { outcome, resolution, retryAfter };
  }
}

async function tryOften(times: number, tryAt: (at: number) => Promise<TryResult>): Promise<string[]> {
  const outcomes: string[] = [];
  for (let at = 0; at < times; at += 1) outcomes.push((await tryAt(at)).outcome);
  return outcomes;
}

const operator = { who: { email: OPERATOR } };

describe('wrong passwords for the operator', () => {
  it('from 101 networks delay neither a clean address nor a known device', async () => {
    const { attempts } = world();
    const outcomes = await tryOften(1010, (at) =>
      tryOnce(attempts, { ...operator, ip: `attacker ${at % 101}` }),
    );
    expect(new Set(outcomes)).toEqual(new Set(['wrong']));
    expect((await tryOnce(attempts, { ...operator, ip: 'attacker 7' })).outcome).toBe('too_many_attempts');
    expect((await tryOnce(attempts, operator, 'right')).outcome).toBe('right');
    const atHome = { ...operator, ip: 'attacker 7', cookie: DEVICE };
    expect((await tryOnce(attempts, atHome, 'right')).outcome).toBe('right');
  });

  it('from one network are delayed more and more, and the answer says when to try again', async () => {
    const { attempts, wait } = world();
    const outcomes = await tryOften(12, () => tryOnce(attempts, operator));
    expect(outcomes.filter((each) => each === 'wrong')).toHaveLength(10);
    const refused = await tryOnce(attempts, operator, 'right');
    expect(refused).toMatchObject({ outcome: 'too_many_attempts', retryAfter: 1 });
    expect(refused.resolution).toContain('1 second');
    wait(1000);
    expect((await tryOnce(attempts, operator)).outcome).toBe('wrong');
    expect((await tryOnce(attempts, operator)).retryAfter).toBe(2);
    wait(2000);
    expect((await tryOnce(attempts, operator, 'right')).outcome).toBe('right');
    expect((await tryOnce(attempts, operator)).outcome).toBe('wrong');
  });

  it('from a known device are delayed, too: a stolen cookie guesses no faster', async () => {
    const { attempts } = world();
    const stolen = { ...operator, cookie: DEVICE };
    const outcomes = await tryOften(20, (at) => tryOnce(attempts, { ...stolen, ip: `thief ${at}` }));
    expect(outcomes.filter((each) => each === 'wrong')).toHaveLength(10);
  });
});

describe('a network that fails for many users', () => {
  it('is delayed as a whole, except known devices and open sessions', async () => {
    const { attempts } = world();
    const outcomes = await tryOften(120, (at) => tryOnce(attempts, { who: { email: `u${at}@example.com` } }));
    expect(outcomes.filter((each) => each === 'wrong')).toHaveLength(100);
    expect((await tryOnce(attempts, operator, 'right')).outcome).toBe('too_many_attempts');
    expect((await tryOnce(attempts, { ...operator, cookie: DEVICE }, 'right')).outcome).toBe('right');
    expect((await tryOnce(attempts, { who: { sessionId: 's' } }, 'right')).outcome).toBe('right');
    expect((await tryOnce(attempts, { ...operator, ip: '192.0.2.2' }, 'right')).outcome).toBe('right');
  });

  it('does not delay the code of a user whose password was right: the library limits that by user', async () => {
    const { attempts } = world();
    await tryOften(120, (at) => tryOnce(attempts, { who: { email: `u${at}@example.com` } }));
    const context = { ip: '192.0.2.1', headers: {} } as unknown as RequestContext;
    const code = () =>
      attempts.proveCode(
        context,
        { email: undefined },
        async () => 'signed in',
        () => 'right',
      );
    expect(await code()).toBe('signed in');
  });

  it('is not cleared when the attacker signs in as a user of their own', async () => {
    const { attempts } = world();
    await tryOften(99, (at) => tryOnce(attempts, { who: { email: `u${at}@example.com` } }));
    await tryOnce(attempts, { who: { email: 'mine@example.com' } }, 'right');
    const outcomes = await tryOften(3, (at) => tryOnce(attempts, { who: { email: `v${at}@example.com` } }));
    expect(outcomes).toEqual(['wrong', 'too_many_attempts', 'too_many_attempts']);
  });
});

describe('an open session', () => {
  it('is delayed a little by its own wrong passwords, for at most 5 s, and no other session is', async () => {
    const { attempts, wait } = world();
    const mistyped = () => tryOnce(attempts, { who: { sessionId: 'mine' } });
    expect((await tryOften(11, mistyped)).at(-1)).toBe('too_many_attempts');
    for (let round = 0; round < 20; round += 1) {
      wait(5000);
      expect((await mistyped()).outcome).toBe('wrong');
    }
    expect((await tryOnce(attempts, { who: { sessionId: 'other' } }, 'right')).outcome).toBe('right');
  });

  it('is not cleared by calls whose password was not checked', async () => {
    const { attempts } = world();
    const call = (outcome: PasswordOutcome) => tryOnce(attempts, { who: { sessionId: 'mine' } }, outcome);
    await tryOften(9, () => call('wrong'));
    expect(new Set(await tryOften(50, () => call('not_looked_at')))).toEqual(new Set(['not_looked_at']));
    expect(await tryOften(2, () => call('wrong'))).toEqual(['wrong', 'too_many_attempts']);
  });
});

describe('waiting password hashes', () => {
  it('are limited to 24 from strangers and 32 in total; others get a time to try again, and are not counted', async () => {
    const { attempts } = world();
    let release: () => void = () => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const strangers = Array.from({ length: 40 }, (_, at) =>
      tryOnce(attempts, { who: { email: 'x@example.com' }, ip: `n${at}` }, 'wrong', () => slow),
    );
    await new Promise(setImmediate);
    const known = Array.from({ length: 9 }, (_, at) =>
      tryOnce(attempts, { who: { sessionId: `s${at}` } }, 'right', () => slow),
    );
    await new Promise(setImmediate);
    release();
    const refused = (await Promise.all(strangers)).filter(({ outcome }) => outcome !== 'wrong');
    expect(refused).toHaveLength(16);
    expect(refused[0]).toMatchObject({ outcome: 'unavailable', retryAfter: 2 });
    expect((await Promise.all(known)).map(({ outcome }) => outcome).sort()).toEqual([
      ...Array(8).fill('right'),
      'unavailable',
    ]);
    const later = () => tryOnce(attempts, { who: { email: 'x@example.com' }, ip: 'n39' });
    expect(await tryOften(11, later)).toEqual([...Array(10).fill('wrong'), 'too_many_attempts']);
  });

  it('count nothing and release their places if the store fails', async () => {
    const { attempts } = world();
    for (let at = 0; at < 50; at += 1) {
      const gone = () => Promise.reject(new Error('the store is away'));
      await expect(tryOnce(attempts, operator, 'wrong', gone)).rejects.toThrow('away');
    }
    expect((await tryOnce(attempts, operator, 'right')).outcome).toBe('right');
  });
});
