/** What must be true when a user is removed, or a link sets another password, at any moment of a call of sign-in; part of the suite that each adapter runs. */
import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { DatabaseConnection, Dialect } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { authenticatorCode } from '../../test/support/browser.ts';
import { rounds } from '../../test/support/long-version.ts';
import { createSignIn, type SignIn, type SignInCall } from '../accounts/sign-in.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { AuthDatabase } from './dashboard-store.ts';
import type { Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const PASSWORD = 'correct horse battery';
const RESET = 'another staple entirely';
const CHANGED = 'a third one that is long';
/** Every moment, or every other one: then the adapters take turns. */
const STEP = rounds(2, 1);

interface Person {
  readonly id: string;
  readonly email: string;
  /** Of a session, or of a sign-in that waits for its code. */
  readonly cookie: string | undefined;
  readonly backupCode: string;
}

interface Scene {
  readonly call: SignInCall;
  readonly body: (person: Person) => object;
  readonly secondFactor: boolean;
  readonly session: boolean;
  /** Of an answer to somebody who was removed. */
  readonly refused: string;
}

const SIGN_IN: Scene = {
  call: 'sign-in/email',
  body: ({ email }) => ({ email, password: PASSWORD }),
  ...{ secondFactor: false, session: false, refused: 'INVALID_EMAIL_OR_PASSWORD' },
};
const SCENES: readonly [string, Scene][] = [
  ['a sign-in', SIGN_IN],
  ['a sign-in that goes on with a code', { ...SIGN_IN, secondFactor: true }],
  [
    'a sign-in by a code',
    {
      call: 'two-factor/verify-backup-code',
      body: ({ backupCode }) => ({ code: backupCode }),
      ...{ secondFactor: true, session: false, refused: 'INVALID_TWO_FACTOR_COOKIE' },
    },
  ],
  [
    'a change of the password',
    {
      call: 'change-password',
      body: () => ({ currentPassword: PASSWORD, newPassword: CHANGED, revokeOtherSessions: true }),
      ...{ secondFactor: false, session: true, refused: 'UNAUTHORIZED' },
    },
  ],
  [
    'setting up a second factor',
    {
      call: 'two-factor/enable',
      body: () => ({ password: PASSWORD }),
      ...{ secondFactor: false, session: true, refused: 'UNAUTHORIZED' },
    },
  ],
];

/** @param first the moment at which the removals begin; the other one is that of the links */
export function describeSignInRaces(store: () => Store, makeId: MakeId, first: 0 | 1): void {
  /** Called before each statement of the calls of `signIn`. */
  let beforeStatement: () => Promise<void> = async () => {};
  let signIn: SignIn;

  beforeAll(() => {
    signIn = createSignIn({
      store: {
        touchSession: (session) => store().touchSession(session),
        tidySignIn: async () => {},
        replacePassword: (...values) => store().replacePassword(...values),
        authDatabase: async () => interrupted(await store().authDatabase(), () => beforeStatement()),
      },
      secret: randomBytes(32),
      clock: { now: Date.now, isConfirmed: () => true },
      onFault: (error) => {
        throw error;
      },
    });
  });

  const visitor = (cookie?: string) => ({ cookie, network: '192.0.2.1', userAgent: 'a browser' });
  const signInWith = (email: string, password: string) =>
    signIn.call('sign-in/email', { email, password }, visitor());

  /** A user, as far as a scene needs them. */
  async function newPerson({ secondFactor, session, call }: Scene): Promise<Person> {
    const id = makeId('usr', NOW);
    const email = `${id}@example.com`;
    const link = await newLink('operator');
    await store().claimOperator(
      { id, email, name: 'Jo', passwordHash: await hashCheaply(PASSWORD) },
      link,
      NOW,
    );
    let [cookie, backupCode]: [string | undefined, string] = [undefined, ''];
    if (secondFactor || session) cookie = cookieOf(await signInWith(email, PASSWORD));
    if (secondFactor) {
      const { body } = await signIn.call('two-factor/enable', { password: PASSWORD }, visitor(cookie));
      const code = authenticatorCode(body.totpURI as string, Date.now());
      expect(await signIn.call('two-factor/verify-totp', { code }, visitor(cookie))).toMatchObject({
        ok: true,
      });
      backupCode = (body.backupCodes as string[])[0] as string;
      cookie = call === 'sign-in/email' ? undefined : cookieOf(await signInWith(email, PASSWORD));
    }
    return { id, email, cookie, backupCode };
  }

  async function newLink(purpose: 'operator' | 'reset', userId: string | null = null): Promise<string> {
    const link = { tokenHash: randomBytes(16).toString('hex'), purpose, userId, expiresAt: NOW + 1_000 };
    await store().saveLink(link);
    return link.tokenHash;
  }

  /** Makes the call; `deed` happens before its statement of this number. Returns the answer, and whether there was one. */
  async function run(scene: Scene, person: Person, at: number, deed: () => Promise<unknown>) {
    let statements = 0;
    beforeStatement = async () => {
      statements += 1;
      if (statements - 1 === at) await deed();
    };
    try {
      const answer = await signIn.call(scene.call, scene.body(person), visitor(person.cookie));
      return { answer, isDone: statements > at };
    } finally {
      beforeStatement = async () => {};
    }
  }

  describe.each(SCENES)('%s', (_, scene) => {
    /** `deed` before the statements of the call, from that number on. */
    async function atEachMoment(
      from: number,
      deed: (person: Person) => Promise<unknown>,
      check: (person: Person, answer: Awaited<ReturnType<SignIn['call']>>) => Promise<void>,
    ): Promise<void> {
      for (let at = from % STEP; ; at += STEP) {
        const person = await newPerson(scene);
        const { answer, isDone } = await run(scene, person, at, () => deed(person));
        if (isDone) await check(person, answer);
        else {
          expect(at).toBeGreaterThan(2);
          expect(answer).toMatchObject({ ok: true, code: '' });
          return;
        }
      }
    }

    it('of somebody who is removed meanwhile is answered, and leaves nothing', async () => {
      const refused = new Set<string>();
      await atEachMoment(
        first,
        (person) => store().removeUser(person),
        async ({ id }, answer) => {
          if (!answer.ok) refused.add(answer.code);
          expect(await signIn.session(visitor(cookieOf(answer)))).toBeUndefined();
          expect(await store().sessions(id)).toEqual([]);
        },
      );
      expect([...refused]).toContain(scene.refused);
    });

    it('opens nothing with a password that a link replaces meanwhile, and does not replace the new one', async () => {
      await atEachMoment(
        first + 1,
        async ({ id }) => {
          const hash = await hashCheaply(RESET);
          expect(await store().resetPassword(hash, await newLink('reset', id), NOW)).toBe(true);
        },
        async ({ id, email }, answer) => {
          expect(await signIn.session(visitor(cookieOf(answer)))).toBeUndefined();
          expect(await store().sessions(id)).toEqual([]);
          expect((await signInWith(email, PASSWORD)).ok).toBe(false);
          expect((await signInWith(email, CHANGED)).ok).toBe(false);
          expect(await signInWith(email, RESET)).toMatchObject({ ok: true });
        },
      );
    });
  });
}

/** A hash says what it costs to verify: this one, next to nothing. */
function hashCheaply(password: string): Promise<string> {
  return hash(password, { memoryCost: 64, timeCost: 1, parallelism: 1 });
}

function cookieOf({ cookies }: { readonly cookies: readonly string[] }): string {
  return cookies.map((text) => text.split(';')[0]).join('; ');
}

/** The same database, which waits for `before` at each statement. */
function interrupted(database: AuthDatabase, before: () => Promise<void>): AuthDatabase {
  const { dialect } = database;
  const waiting = new WeakSet<DatabaseConnection>();
  const wrapped: Dialect = {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (of) => dialect.createIntrospector(of),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver() {
      const driver = dialect.createDriver();
      const acquire = driver.acquireConnection.bind(driver);
      driver.acquireConnection = async () => {
        const connection = await acquire();
        if (waiting.has(connection)) return connection;
        waiting.add(connection);
        const execute = connection.executeQuery.bind(connection) as DatabaseConnection['executeQuery'];
        connection.executeQuery = async (query) => {
          await before();
          return execute(query);
        };
        return connection;
      };
      return driver;
    },
  };
  return { ...database, dialect: wrapped };
}
