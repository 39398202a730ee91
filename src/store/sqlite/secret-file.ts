/** The secret that addresses are hashed with, in the data folder: made once, and stored in a file. */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../sqlite-connection.ts';

const SECRET_BYTES = 32;
const FILE = 'secret.key';

/**
 * Reads the secret of a data folder; where there is none, the configured one is stored, or a new one is made.
 * @throws when it cannot be read, is damaged or differs from the configured one
 */
export function readSecret(directory: string, configured: Buffer | null = null): Buffer {
  const file = join(directory, FILE);
  makeFolder(directory);
  const secret = parse(file, read(file) ?? make(file, configured ?? randomBytes(SECRET_BYTES)));
  if (configured !== null && !secret.equals(configured)) throw otherSecret(directory);
  return secret;
}

/** Error of settings that have another secret than the data folder. */
export function otherSecret(directory: string): Error {
  const file = join(directory, FILE);
  return new Error(
    `GATEHOUSE_SECRET is not the secret that addresses were hashed with so far, in ${file}: unset GATEHOUSE_SECRET, or set it to the content of that file`,
  );
}

/** The secret of a data folder where there is one; nothing is made. @throws when it cannot be read or is damaged */
export function findSecret(directory: string): Buffer | undefined {
  const file = join(directory, FILE);
  const text = read(file);
  return text === undefined ? undefined : parse(file, text);
}

function parse(file: string, text: string): Buffer {
  const secret = Buffer.from(text.trim(), 'hex');
  if (secret.length !== SECRET_BYTES) throw new Error(`${file} is damaged: restore it from a backup`);
  return secret;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`cannot read ${file}: ${(error as Error).message}`);
  }
}

/** Whole or not at all, and never over one that another process made meanwhile. */
function make(file: string, secret: Buffer): string {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, `${secret.toString('hex')}\n`, { mode: 0o600, flush: true });
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new Error(`cannot write to the data folder (GATEHOUSE_DATA_DIR): ${(error as Error).message}`);
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8');
}
