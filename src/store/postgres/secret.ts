/** The installation's secret where many nodes share it: made once and kept in the database, or given to each and only checked there. */
import { randomBytes } from 'node:crypto';
import { checkOf, type NewSecret, refuseLoss, type SecretUse } from '../secret-use.ts';
import type { Database, Query } from './database.ts';

const SECRET_BYTES = 32;
/** Number of the advisory lock under which the first secret is stored. */
const LOCK = 7_126_003;
const SECRET = 'secret';
const CHECK = 'secret_check';
const OTHER = 'GATEHOUSE_SECRET is not the secret that this database is used with';
const ELSEWHERE = 'this database is used with a secret that is kept elsewhere';
const MISSING = 'the secret that this database was used with is missing in it';
/** Max. assessments that are counted: of more it is said only that there are. */
const MAX_COUNTED = 10_000;

const FORGET = 'DELETE FROM installation WHERE name = ANY ($1::text[])';
const USE = `SELECT (SELECT count(*) FROM auth_sessions WHERE "expiresAt" > now()) AS sessions,
  (SELECT count(*) FROM auth_two_factors) AS "secondFactors",
  (SELECT count(*) FROM list_entries WHERE kind IN ('address', 'mailbox')) AS "addressEntries",
  (SELECT count(*) FROM hooks WHERE secret IS NOT NULL AND revoked_at IS NULL) AS hooks,
  (SELECT count(*) FROM (SELECT 1 FROM assessments LIMIT ${MAX_COUNTED}) AS counted) AS assessments`;

/** @throws when another secret than the given one is in use, or none is where one was; unless somebody insists */
export async function loadSecret(
  { transaction }: Database,
  configured: Buffer | undefined,
  insist?: NewSecret,
): Promise<Buffer> {
  return transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const stored = await read(query, SECRET);
    const check = await read(query, CHECK);
    const knownCheck = check ?? (stored === undefined ? undefined : checkOf(stored));
    if (configured === undefined && stored !== undefined) return stored;
    if (configured !== undefined && knownCheck?.equals(checkOf(configured)) === true) return configured;
    if (configured === undefined || knownCheck !== undefined) {
      const [use] = await query<SecretUse>(USE);
      const fault = configured !== undefined ? OTHER : knownCheck === undefined ? MISSING : ELSEWHERE;
      refuseLoss(fault, use as SecretUse, insist, knownCheck !== undefined);
    }
    await query(FORGET, [[SECRET, CHECK]]);
    // Hash keys were encrypted with the secret that is lost.
    if (knownCheck !== undefined) await query('DELETE FROM hash_keys');
    if (configured === undefined) return write(query, SECRET, randomBytes(SECRET_BYTES));
    await write(query, CHECK, checkOf(configured));
    return configured;
  });
}

/** Keeps a secret that was made elsewhere, so that nodes need not be given it. @throws when another one is in use */
export async function saveSecret({ transaction }: Database, secret: Buffer): Promise<void> {
  await transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const stored = await read(query, SECRET);
    const check = await read(query, CHECK);
    if (stored === undefined && check === undefined) await write(query, SECRET, secret);
    else if (!(check ?? checkOf(stored as Buffer)).equals(checkOf(secret)))
      throw new Error('the database is used with another secret than this installation');
  });
}

async function read(query: Query, name: string): Promise<Buffer | undefined> {
  const [row] = await query<{ value: Buffer }>('SELECT value FROM installation WHERE name = $1', [name]);
  return row?.value;
}

async function write(query: Query, name: string, value: Buffer): Promise<Buffer> {
  await query('INSERT INTO installation (name, value) VALUES ($1, $2)', [name, value]);
  return value;
}
