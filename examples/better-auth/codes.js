/** Codes that confirm an address before the account exists. In memory: use your database, and really send them. */
import { randomInt } from 'node:crypto';

const LIFETIME_MS = 10 * 60_000;
const MAX_TRIES = 5;
/** @type {Map<string, { code: string, expiresAt: number, tries: number }>} */
const sent = new Map();

/** @param {string} email */
export function sendCode(email) {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  sent.set(email, { code, expiresAt: Date.now() + LIFETIME_MS, tries: 0 });
  console.log(`to ${email}: your code is ${code}`);
}

/**
 * @param {string} email
 * @param {string} code
 */
export function checkCode(email, code) {
  const entry = sent.get(email);
  if (entry === undefined || entry.expiresAt < Date.now() || entry.tries >= MAX_TRIES) return false;
  entry.tries += 1;
  if (entry.code !== code.trim()) return false;
  sent.delete(email);
  return true;
}
