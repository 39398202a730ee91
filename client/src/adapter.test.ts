/** Callbacks by which an adapter reads a request may be wrong for some visitors or for all: none shuts the door by mistake. */
import { describe, expect, it, vi } from 'vitest';
import { type AdapterOptions, checkAdapterOptions, decideSignup, type SignupProtector } from './adapter.ts';
import { type GatehouseError, OptionsError } from './errors.ts';
import type { SignupDecision } from './protect-signup.ts';

const ALLOWED: SignupDecision = {
  decision: 'allow',
  assessment: null,
  ip: null,
  mailUnwanted: false,
  failedOpen: false,
  error: null,
};
const throws = () => {
  throw new TypeError("Cannot read properties of undefined (reading 'secret-of-jo')");
};
const rejects = async () => throws();
type Source = { readonly body?: { readonly email: string } };

function setUp() {
  const protectSignup = vi.fn<SignupProtector['protectSignup']>(async () => ALLOWED);
  const onError = vi.fn<(error: GatehouseError) => void>();
  const decide = (options: Partial<AdapterOptions<Source>>, source: Source, isParsed?: boolean) =>
    decideSignup(
      { protectSignup },
      { email: ({ body }) => body?.email, onError, ...options },
      source,
      { headers: {} },
      isParsed,
    );
  return { decide, onError, inputOf: () => protectSignup.mock.lastCall?.[1] };
}

describe('a callback that throws', () => {
  it.each([
    ['ip', null],
    ['peer', undefined],
    ['sessionId', undefined],
    ['idempotencyKey', undefined],
    ['broughtBy', undefined],
  ] as const)(
    'for %s refuses nobody: the signup is assessed without it, and that is said',
    async (name, left) => {
      for (const callback of [throws, rejects]) {
        const { decide, onError, inputOf } = setUp();
        const source = { body: { email: 'jo@example.com' } };
        expect(await decide({ [name]: callback }, source)).toBe(ALLOWED);
        expect(inputOf()).toMatchObject({ email: 'jo@example.com' });
        expect(inputOf()?.[name]).toBe(left);
        expect(onError).toHaveBeenCalledOnce();
        expect(onError.mock.lastCall?.[0]).toMatchObject({ param: name });
        expect(onError.mock.lastCall?.[0].message).toContain('TypeError');
        expect(onError.mock.lastCall?.[0].message).not.toContain('secret-of-jo');
      }
    },
  );

  it('for the email is no email where nobody parsed the body, and goes on as an error otherwise', async () => {
    for (const email of [throws, rejects]) {
      const { decide, inputOf } = setUp();
      expect(await decide({ email }, {}, false)).toBe(ALLOWED);
      expect(inputOf()?.email).toBeUndefined();
      await expect(decide({ email }, { body: { email: 'jo@example.com' } })).rejects.toThrow(TypeError);
    }
    const refuse = () => {
      throw new Error('no form');
    };
    await expect(setUp().decide({ email: refuse }, {}, false)).rejects.toThrow('no form');
  });
});

it('values that a callback promises are waited for', async () => {
  const { decide, inputOf } = setUp();
  const later = <T>(value: T) => (() => Promise.resolve(value)) as unknown as () => T;
  const options = {
    email: later('jo@example.com'),
    ip: later('203.0.113.7'),
    sessionId: later('s1'),
    idempotencyKey: later('k1'),
    broughtBy: later('admin' as const),
  };
  await decide(options, {});
  expect(inputOf()).toMatchObject({
    email: 'jo@example.com',
    ip: '203.0.113.7',
    sessionId: 's1',
    idempotencyKey: 'k1',
    broughtBy: 'admin',
  });
});

it.each([
  { onFailure: 'alow' },
  { mode: 'watch' },
  { trustedProxies: 'cloudfare' },
  { trustedProxies: ['lan'] },
  { timeoutMs: '3000' },
  { email: undefined },
])('options that are none are refused at the start: %j', (options) => {
  const gatehouse = { protectSignup: async () => ALLOWED };
  const email = () => 'jo@example.com';
  expect(() => checkAdapterOptions(gatehouse, { email, ...options } as never)).toThrow(OptionsError);
});
