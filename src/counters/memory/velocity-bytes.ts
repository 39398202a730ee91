/** Decides how many records fit into the memory that velocity may take. */
import { RECORD_WORDS } from './record-pool.ts';

/** A record, plus the bucket that a key's record may need. */
const RECORD_BYTES = (RECORD_WORDS + 1) * 4;
/** Segments of records and of buckets that are not full yet. */
const BEGUN_BYTES = 512 * 1024;
/** An account's object, its id, and its places in the tables of accounts; measured with `bench/memory.mjs`. */
const ACCOUNT_BYTES = 512;
/** Accounts may use this share before any record has to be removed. */
const ACCOUNTS_SHARE = 1 / 8;
/** Always available for counting, however many accounts there are. */
const MIN_RECORDS = 10;

/** Bytes taken by tables of `tableBytes` and by the accounts. */
export function velocityBytes(tableBytes: number, accounts: number): number {
  return tableBytes + accounts * ACCOUNT_BYTES;
}

/** Records that fit besides this number of accounts. */
export function recordsWithin(maxBytes: number, accounts: number): number {
  const forAccounts = Math.max(maxBytes * ACCOUNTS_SHARE, accounts * ACCOUNT_BYTES);
  const forRecords = maxBytes - BEGUN_BYTES - forAccounts;
  return Math.max(MIN_RECORDS, Math.floor(forRecords / RECORD_BYTES));
}

/** Bytes needed for this number of records: the inverse of `recordsWithin` for few accounts. */
export function bytesFor(records: number): number {
  return Math.ceil((records * RECORD_BYTES + BEGUN_BYTES) / (1 - ACCOUNTS_SHARE)) + 1;
}
