/** Hashes passwords with argon2id, a few at a time: sign-ins may not take the machine from the assessments. */

const MOST_AT_ONCE = 2;
/** 19 MiB and two passes, as OWASP asks at least. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Bounds of a password, characters. */
export const PASSWORD_LENGTH = { least: 10, most: 128 };

const waiting: (() => void)[] = [];
let running = 0;

/** A PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2');
  return inTurn(() => hash(password, COST));
}

export async function verifyPassword(given: { hash: string; password: string }): Promise<boolean> {
  const { verify } = await import('@node-rs/argon2');
  return inTurn(() => verify(given.hash, given.password));
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    // The place goes on to the next one, or is given up.
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
