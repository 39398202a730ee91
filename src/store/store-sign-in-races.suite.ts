/** What must be true when a user is removed, or a link sets a new password, at any moment during a sign-in call. Part of the suite that each adapter runs. */
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
/** Tests every statement; or every second one, shared between the adapters. */
const STEP = rounds(2, 1);

interface Person {
  readonly id: string;
  readonly email: string;
  /** The cookie of a session, or of a sign-in that waits for its code. */
  readonly cookie: string | undefined;
  readonly backupCode: string;
}

interface Scene {
  readonly call: SignInCall;
  readonly body: (person: Person) => object;
  readonly secondFactor: boolean;
  readonly session: boolean;
  /** The error code in the answer to a removed user. */
  readonly refused: string;
}

const SIGN_IN: Scene = {
  call: 'sign-in/email',
  body: ({ email }) => ({ email, password: PASSWORD }),
  secondFactor: false,
  session: false,
  refused: 'INVALID_EMAIL_OR_PASSWORD',
};
const SCENES: readonly [string, Scene][] = [
  ['a sign-in', SIGN_IN],
  ['a sign-in that goes on with a code', { ...SIGN_IN, secondFactor: true }],
  [
    'a sign-in by a code',
    {
      call: 'two-factor/verify-backup-code',
      body: ({ backupCode }) => ({ code: backupCode }),
      secondFactor: true,
      session: false,
      refused: 'INVALID_TWO_FACTOR_COOKIE',
    },
  ],
  [
    'a change of the password',
    {
      call: 'change-password',
      body: () => ({ currentPassword: PASSWORD, newPassword: CHANGED, revokeOtherSessions: true }),
      secondFactor: false,
      session: true,
      refused: 'UNAUTHORIZED',
    },
  ],
  [
    'setting up a second factor',
    {
      call: 'two-factor/enable',
      body: () => ({ password: PASSWORD }),
      secondFactor: false,
      session: true,
      refused: 'UNAUTHORIZED',
    },
  ],
];

/** @param first number of the statement at which removals begin; links begin at the next one */
export function describeSignInRaces(store: () => Store, makeId: MakeId, first: 0 | 1): void {
  /** Called before each statement of the `signIn` calls. */
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

  /** The parts of a user that a scene needs. */
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

  /** Makes the call and runs `deed` before its statement number `at`. Returns the answer, and whether `deed` ran. */
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
    /** Runs `deed` before each statement of the call, from number `from` on. */
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

    it('gets an answer and leaves no session if the user is removed meanwhile', async () => {
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

    it('opens no session and does not change the password if a link sets a new password meanwhile', async () => {
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

/** A hash that is very cheap to verify. */
function hashCheaply(password: string): Promise<string> {
  return hash(password, { memoryCost: 64, timeCost: 1, parallelism: 1 });
}

function cookieOf({ cookies }: { readonly cookies: readonly string[] }): string {
  return cookies.map((text) => text.split(';')[0]).join('; ');
}

/** The same database, but each statement first waits for `before`. */
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
