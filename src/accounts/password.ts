/** Hashes passwords with argon2id, one at a time: sign-ins may not take the machine from the assessments. */
import { createTurns } from '../platform/turns.ts';

/** 19 MiB and two passes, as OWASP asks at least. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Bounds of a password, characters. */
export const PASSWORD_LENGTH = { min: 10, max: 128 };

const inTurn = createTurns();

/** A PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2');
  return inTurn(() => hash(password, COST));
}

export async function verifyPassword(stored: { hash: string; password: string }): Promise<boolean> {
  const { verify } = await import('@node-rs/argon2');
  return inTurn(() => verify(stored.hash, stored.password));
}
