/** People who use the dashboard in tests: planted in the store, signed in over HTTP. */
import { randomUUID } from 'node:crypto';
import { hashPassword } from '../../src/accounts/password.ts';
import { makeLinkSecret } from '../../src/accounts/secret-link.ts';
import type { Role } from '../../src/contract/dashboard-account.ts';
import { type Answer, type Client, createClient } from './client.ts';
import type { Installation, Service } from './service.ts';
import { withStored } from './stored.ts';

export const PASSWORD = 'correct horse battery';
const INVITER = 'tests';

export interface PlantedPerson {
  readonly id: string;
  readonly email: string;
}

/** An operator, or a person with a role in an account. */
export type Access = 'operator' | { readonly account: string; readonly role: Role };

let hashing: Promise<string> | undefined;

export async function plantPerson(installation: Installation, access: Access): Promise<PlantedPerson> {
  const id = `usr_${randomUUID()}`;
  const email = `${id.slice(4, 12)}@people.example`;
  hashing ??= hashPassword(PASSWORD);
  const user = { id, email, name: `Person ${id.slice(4, 8)}`, passwordHash: await hashing };
  const { tokenHash } = makeLinkSecret();
  const now = Date.now();
  const expiresAt = now + 60_000;
  const made = await withStored(installation, async (store) => {
    if (access === 'operator') {
      await store.saveLink({ tokenHash, purpose: 'operator', userId: null, expiresAt });
      return store.claimOperator(user, tokenHash, now);
    }
    const { account: accountId, role } = access;
    const invitation = { id: `inv_${randomUUID()}`, tokenHash, email, accountId, role };
    await store.saveInvitation({ ...invitation, invitedBy: INVITER, expiresAt, acceptedAt: null });
    return store.joinAsNewUser(user, tokenHash, now);
  });
  if (!made) throw new Error('the person was not created');
  return { id, email };
}

/** The person's name in their account's audit log; it shows that nobody verified the address. */
export const actorName = ({ email }: { readonly email: string }) =>
  `${email} (not verified, invited by ${INVITER})`;

/** The name beside a list entry or a policy, which does not name the inviter. */
export const authorName = ({ email }: { readonly email: string }) => `${email} (not verified)`;

/** Calls `/dashboard/api` as a signed-in person. */
export interface Person {
  readonly email: string;
  readonly cookie: string;
  get<T = Record<string, unknown>>(path: string): Promise<Answer<T>>;
  send<T = Record<string, unknown>>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<Answer<T>>;
  close(): void;
}

export async function signIn(service: Pick<Service, 'url'>, { email }: { email: string }): Promise<Person> {
  const client = createClient(service.url);
  const answer = await sendPassword(client, email);
  if (answer.status !== 200) throw new Error(`sign-in was answered with ${answer.status}: ${answer.text}`);
  const cookie = [answer.headers['set-cookie'] ?? []]
    .flat()
    .map((text) => text.split(';', 1)[0])
    .join('; ');
  return toPerson(client, email, cookie);
}

/** The answer to a sign-in with the right password. */
export async function trySignIn(
  service: Pick<Service, 'url'>,
  { email }: { email: string },
): Promise<Answer<unknown>> {
  const client = createClient(service.url);
  try {
    return await sendPassword(client, email);
  } finally {
    client.close();
  }
}

function sendPassword(client: Client, email: string): Promise<Answer<unknown>> {
  return client.send<unknown>({
    method: 'POST',
    path: '/dashboard/auth/sign-in/email',
    headers: { 'X-Gatehouse': 'dashboard' },
    body: { email, password: PASSWORD },
  });
}

function toPerson(client: Client, email: string, cookie: string): Person {
  const headers = { cookie, 'X-Gatehouse': 'dashboard' };
  return {
    email,
    cookie,
    get: (path) => client.send({ path: `/dashboard/api${path}`, headers }),
    send: (method, path, body) =>
      client.send({
        method,
        path: `/dashboard/api${path}`,
        headers,
        // Browsers send this; the raw client sends no length for an empty body.
        ...(body === undefined ? {} : { body }),
      }),
    close: client.close,
  };
}
