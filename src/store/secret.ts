/** The secret that addresses are hashed with: made once, kept beside the database but never in it. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SECRET_BYTES = 32;

/** Reads the secret of a data folder, making it where there is none. @throws when it cannot be read or is damaged */
export function readSecret(directory: string): Buffer {
  const file = join(directory, 'secret.key');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, `${randomBytes(SECRET_BYTES).toString('hex')}\n`, {
      flag: 'wx',
      mode: 0o600,
      flush: true,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const secret = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
  if (secret.length !== SECRET_BYTES) throw new Error(`${file} is damaged: restore it from a backup`);
  return secret;
}
