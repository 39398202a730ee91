/** Rules that are true when a user is removed, or a link sets a new password, at any moment during a sign-in call. Part of the suite that each adapter runs. */
import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { DatabaseConnection, Dialect } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { authenticatorCode } from '../../test/support/browser.ts';
import { rounds } from '../../test/support/long-version.ts';
import { createSignIn, type SignIn, type SignInCall } from '../accounts/sign-in.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { AuthDatabase } from './dashboard-store.ts';
import type { IdentitySignIn } from './identity-store.ts';
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

/** Does work, and `deed` before its statement number `at`. Returns the answer, and whether `deed` ran. */
type AtStatement = <T>(
  at: number,
  deed: () => Promise<unknown>,
  work: () => Promise<T>,
) => Promise<{ readonly answer: T; readonly isDone: boolean }>;

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

  const atStatement: AtStatement = async (at, deed, work) => {
    let statements = 0;
    beforeStatement = async () => {
      statements += 1;
      if (statements - 1 === at) await deed();
    };
    try {
      const answer = await work();
      return { answer, isDone: statements > at };
    } finally {
      beforeStatement = async () => {};
    }
  };
  const run = (scene: Scene, person: Person, at: number, deed: () => Promise<unknown>) =>
    atStatement(at, deed, () => signIn.call(scene.call, scene.body(person), visitor(person.cookie)));

  describeBegunSessions(store, makeId, () => signIn, atStatement);
  describeEndedConnections(store, makeId, () => signIn);

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

const PROVIDER_VISITOR = { cookie: undefined, network: '192.0.2.1', userAgent: 'a browser' };

async function saveIdentity(store: Store, makeId: MakeId): Promise<IdentitySignIn> {
  const userId = makeId('usr', NOW);
  const newUser = { email: `${userId}@example.com`, name: 'Jo', verified: true, invitedBy: null };
  const signIn: IdentitySignIn = {
    identity: { issuer: 'https://login.example/races', subject: userId },
    userId,
    isKnown: false,
    newUser: { ...newUser, homeAccount: null },
    roles: [],
    endsSessions: false,
    now: NOW,
  };
  await store.signInByIdentity(signIn);
  return signIn;
}

function begin(store: Store, signIn: SignIn, { userId, identity }: IdentitySignIn, before = async () => {}) {
  return signIn.begin(userId, PROVIDER_VISITOR, async () => {
    await before();
    return store.hasIdentity(userId, identity);
  });
}

async function resetByLink(store: Store, userId: string): Promise<void> {
  const link = { tokenHash: randomBytes(16).toString('hex'), purpose: 'reset', userId } as const;
  await store.saveLink({ ...link, expiresAt: NOW + 1_000 });
  expect(await store.resetPassword(await hashCheaply(RESET), link.tokenHash, NOW)).toBe(true);
}

/** Rules for a session by an OpenID provider. */
function describeBegunSessions(
  store: () => Store,
  makeId: MakeId,
  signIn: () => SignIn,
  at: AtStatement,
): void {
  const DEEDS: readonly [string, (person: IdentitySignIn) => Promise<unknown>][] = [
    ['is disconnected', ({ userId }) => store().removeIdentities(userId)],
    ['is removed', ({ userId, newUser }) => store().removeUser({ id: userId, email: newUser?.email ?? '' })],
    ['gets a new password by a link', ({ userId }) => resetByLink(store(), userId)],
  ];

  describe.each(DEEDS)('a session by a provider of a user who %s', (_, deed) => {
    it('does not begin, at whichever statement', async () => {
      for (let number = 0; ; number += 1) {
        const person = await saveIdentity(store(), makeId);
        const { answer, isDone } = await at(
          number,
          () => deed(person),
          () => begin(store(), signIn(), person),
        );
        if (isDone) {
          expect(answer).toBeUndefined();
          expect(await store().sessions(person.userId)).toEqual([]);
          continue;
        }
        expect(number).toBeGreaterThan(1);
        expect(answer).not.toBeUndefined();
        break;
      }
      const last = await saveIdentity(store(), makeId);
      expect(await begin(store(), signIn(), last, async () => void (await deed(last)))).toBeUndefined();
      expect(await store().sessions(last.userId)).toEqual([]);
    });

    it('does not stay, if both happen at once', async () => {
      for (let round = 0; round < rounds(10, 100); round += 1) {
        const person = await saveIdentity(store(), makeId);
        await Promise.all([begin(store(), signIn(), person), deed(person)]);
        expect(await store().sessions(person.userId)).toEqual([]);
      }
    });
  });
}

/** Rules for a user who is connected with a provider by a session that a link for a new password ends. */
function describeEndedConnections(store: () => Store, makeId: MakeId, signIn: () => SignIn): void {
  it('connects nobody by a session that a link for a new password ends at the same time', async () => {
    for (let round = 0; round < rounds(10, 100); round += 1) {
      const person = await saveIdentity(store(), makeId);
      const { userId, newUser: _, ...known } = person;
      expect(await begin(store(), signIn(), person)).not.toBeUndefined();
      const [session] = await store().sessions(userId);
      const sessionId = session?.id as string;
      const identity = { issuer: 'https://login.example/other', subject: userId };
      const [connected] = await Promise.allSettled([
        store().signInByIdentity({ ...known, userId, identity, sessionId }),
        resetByLink(store(), userId),
      ]);
      expect(await store().identitiesOf(userId), connected.status).toEqual([]);
    }
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
