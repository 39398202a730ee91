/** Signups whose browser does a proof of work first, because their address must get no mail yet. In memory: use your sessions. */
import { randomUUID } from 'node:crypto';
import { cookies, headers } from 'next/headers';
import { gatehouse } from './gatehouse';

const COOKIE = 'signup';
const LIFETIME_MS = 30 * 60_000;
/** Actions and routes are built apart, and share only what is global. */
const shared = globalThis as { unfinished?: Map<string, { token: string; expiresAt: number }> };
shared.unfinished ??= new Map();
const { unfinished } = shared;

/**
 * Asks for a proof of work. Keep what the form has said with the signup.
 * @param token the request id of the assessment
 * @returns the page to send the browser to
 */
export async function beginProof(token: string): Promise<string> {
  const sent = await headers();
  const origin = `${sent.get('x-forwarded-proto') ?? 'http'}://${sent.get('host')}`;
  const { proof } = await gatehouse
    .client()
    .redeemChallenge({ token, proof: { return_url: `${origin}/proved` } });
  for (const [id, { expiresAt }] of unfinished) if (expiresAt < Date.now()) unfinished.delete(id);
  const id = randomUUID();
  unfinished.set(id, { token, expiresAt: Date.now() + LIFETIME_MS });
  (await cookies()).set(COOKIE, id, { httpOnly: true, sameSite: 'lax' });
  return String(proof?.page);
}

/** Whether this visitor has passed. It is true once: create the account then. */
export async function endProof(): Promise<boolean> {
  const id = (await cookies()).get(COOKIE)?.value ?? '';
  const token = unfinished.get(id)?.token;
  if (token === undefined) return false;
  const { status } = await gatehouse.client().redeemChallenge({ token });
  if (status !== 'passed') return false;
  await gatehouse.client().redeemChallenge({ token, outcome: 'passed' }, { idempotencyKey: id });
  return unfinished.delete(id);
}
