/** The installation's secret where many nodes share it: made once and kept in the database, or given to each and only checked there. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Database, Query } from './database.ts';

const SECRET_BYTES = 32;
/** Of the advisory lock that the first secret is settled under. */
const LOCK = 7_126_003;
const KEPT = 'secret';
const CHECK = 'secret_check';

/** @throws when another secret than the given one is in use, or none is given where one was */
export async function settleSecret({ transaction }: Database, given: Buffer | undefined): Promise<Buffer> {
  return transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const kept = await read(query, KEPT);
    const check = await read(query, CHECK);
    if (given === undefined) {
      if (kept !== undefined) return kept;
      if (check !== undefined) {
        throw new Error(
          'this database is used with a secret that is kept elsewhere: set GATEHOUSE_SECRET to it',
        );
      }
      return write(query, KEPT, randomBytes(SECRET_BYTES));
    }
    const known = check ?? (kept === undefined ? undefined : checkOf(kept));
    if (known === undefined) await write(query, CHECK, checkOf(given));
    else if (!known.equals(checkOf(given))) {
      throw new Error('GATEHOUSE_SECRET is not the secret that this database is used with');
    }
    return given;
  });
}

/** Keeps a secret that was made elsewhere, so that nodes need not be given it. @throws when another one is in use */
export async function keepSecret({ transaction }: Database, secret: Buffer): Promise<void> {
  await transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const kept = await read(query, KEPT);
    const check = await read(query, CHECK);
    if (kept === undefined && check === undefined) await write(query, KEPT, secret);
    else if (!(check ?? checkOf(kept as Buffer)).equals(checkOf(secret)))
      throw new Error('the database is used with another secret than this installation');
  });
}

/** Tells one secret from another, and nothing of either. */
function checkOf(secret: Buffer): Buffer {
  return createHmac('sha256', secret).update('gatehouse: the secret of this database').digest();
}

async function read(query: Query, name: string): Promise<Buffer | undefined> {
  const [row] = await query<{ value: Buffer }>('SELECT value FROM installation WHERE name = $1', [name]);
  return row?.value;
}

async function write(query: Query, name: string, value: Buffer): Promise<Buffer> {
  await query('INSERT INTO installation (name, value) VALUES ($1, $2)', [name, value]);
  return value;
}
