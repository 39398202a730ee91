/** Signups whose browser does a proof of work first, because their address must get no mail yet. In memory: use your sessions. */
import { randomUUID } from 'node:crypto';

const LIFETIME_MS = 30 * 60_000;
/** @type {Map<string, { token: string, expiresAt: number }>} by the visitor's cookie */
const unfinished = new Map();

/**
 * Asks for a proof of work. Keep what the form has said with the signup.
 * @param {import('gatehouse-client').Gatehouse} gatehouse
 * @param {string} token the request id of the assessment
 * @param {string} returnUrl where the browser continues
 * @returns the page to send the browser to, and the cookie that finds the signup again
 */
export async function beginProof(gatehouse, token, returnUrl) {
  const { proof } = await gatehouse.redeemChallenge({ token, proof: { return_url: returnUrl } });
  for (const [id, { expiresAt }] of unfinished) if (expiresAt < Date.now()) unfinished.delete(id);
  const id = randomUUID();
  unfinished.set(id, { token, expiresAt: Date.now() + LIFETIME_MS });
  return { page: String(proof?.page), cookie: `signup=${id}; Path=/; HttpOnly; SameSite=Lax` };
}

/**
 * Whether the visitor with these cookies has passed. It is true once: create the account then.
 * @param {import('gatehouse-client').Gatehouse} gatehouse
 * @param {string | undefined} cookies
 */
export async function endProof(gatehouse, cookies) {
  const id = /(?:^|; )signup=([\w-]+)/.exec(cookies ?? '')?.[1] ?? '';
  const token = unfinished.get(id)?.token;
  if (token === undefined) return false;
  const { status } = await gatehouse.redeemChallenge({ token });
  if (status !== 'passed') return false;
  await gatehouse.redeemChallenge({ token, outcome: 'passed' }, { idempotencyKey: id });
  return unfinished.delete(id);
}
