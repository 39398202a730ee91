/** The plugin in real versions of better-auth, each with a real database: the current one, and older ones that have only the database hook. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BetterAuthOptions } from '../../client/src/better-auth.ts';
import { type Scene, startScene } from '../../test/support/scene.ts';
import {
  googleBody as byGoogle,
  type LoadModule,
  loadFrom,
  signupBody as signup,
  startAuthApp,
} from './better-auth-app.ts';

const VERSIONS = ['better-auth', 'better-auth-1.6', 'better-auth-1.2'];
const BLOCKED = 'someone@mailinator.com';
const CHALLENGED = 'jo@gmial.com';
const ALLOWED = 'jo@quiet-harbour-works.com';

let load: LoadModule;
let scene: Scene;
beforeAll(async () => {
  [scene, load] = await Promise.all([
    startScene(),
    loadFrom({ name: 'better-auth', copy: 'better-auth-versions' }),
  ]);
});
afterAll(() => scene?.end());

const setUp = (version: string, url?: string) =>
  startAuthApp({ load, scene, version, url, options: { onChallenge: isProven } });

const isProven: NonNullable<BetterAuthOptions['onChallenge']> = ({ user, context }) =>
  context?.headers?.get('x-gatehouse-solution') === 'right'
    ? { data: { emailVerified: true } }
    : user.emailVerified === true;

async function creditsOf(work: () => Promise<unknown>): Promise<number> {
  const used = async () => (await scene.live.usage()).json.assessments_used;
  const before = await used();
  await work();
  return (await used()) - before;
}

describe.each(VERSIONS)('%s', (version) => {
  it('creates an allowed user, after a single assessment', async () => {
    const { send, users } = await setUp(version);
    const credits = await creditsOf(async () => {
      expect((await send('sign-up/email', signup(ALLOWED))).status).toBe(200);
    });
    expect(credits).toBe(1);
    expect(users()).toEqual([{ email: ALLOWED, emailVerified: 0 }]);
    // A sign-in is not a signup, and neither is a signup with an existing address.
    const others = await creditsOf(async () => {
      expect((await send('sign-in/email', signup(ALLOWED))).status).toBe(200);
      expect((await send('sign-up/email', signup(ALLOWED))).status).toBe(422);
    });
    expect(others).toBe(0);
  });

  it('assesses nothing that better-auth itself refuses', async () => {
    const { send, users } = await setUp(version);
    const credits = await creditsOf(async () => {
      const short = { ...signup(BLOCKED), password: 'short' };
      expect((await send('sign-up/email', short)).status).toBe(400);
    });
    expect(credits).toBe(0);
    expect(users()).toEqual([]);
  });

  it('answers a blocked signup with 403, and creates no user', async () => {
    const { send, users } = await setUp(version);
    const answer = await send('sign-up/email', signup(BLOCKED));
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { code: 'SIGNUP_BLOCKED', message: 'This account cannot be created.' },
    ]);
    expect(users()).toEqual([]);
  });

  it('answers a challenged signup with 423, until the proof comes', async () => {
    const { send, users, ip } = await setUp(version);
    for (const solution of [{}, { 'x-gatehouse-solution': 'wrong' }]) {
      const answer = await send('sign-up/email', signup(CHALLENGED), solution);
      expect([answer.status, await answer.json()]).toEqual([
        423,
        expect.objectContaining({ code: 'CHALLENGE_REQUIRED' }),
      ]);
      const id = answer.headers.get('x-gatehouse-challenge') ?? '';
      expect((await scene.live.get(id)).json).toMatchObject({
        verdict: 'challenge',
        signals: { ip: { address: ip } },
      });
    }
    expect(users()).toEqual([]);
    const solved = await send('sign-up/email', signup(CHALLENGED), { 'x-gatehouse-solution': 'right' });
    expect(solved.status).toBe(200);
    expect(users()).toEqual([{ email: CHALLENGED, emailVerified: 1 }]);
  });

  it('protects social providers, and accepts an address that the provider has verified as proof', async () => {
    const { send, users } = await setUp(version);
    expect((await send('sign-in/social', byGoogle(BLOCKED))).ok).toBe(false);
    expect((await send('sign-in/social', byGoogle('jo+unverified@gmial.com'))).ok).toBe(false);
    expect(users()).toEqual([]);
    expect((await send('sign-in/social', byGoogle(CHALLENGED))).status).toBe(200);
    expect(users()).toEqual([{ email: CHALLENGED, emailVerified: 1 }]);
    expect(await creditsOf(() => send('sign-in/social', byGoogle(CHALLENGED)))).toBe(0);
  });

  it('allows signups while Gatehouse does not answer', async () => {
    const { send, users } = await setUp(version, 'http://127.0.0.1:9');
    expect((await send('sign-up/email', signup(BLOCKED))).status).toBe(200);
    expect(users()).toHaveLength(1);
  });
});
