/** Decides how many records fit into the memory that velocity may take. */
import { RECORD_WORDS } from './record-pool.ts';

/** A record, and the bucket that it may need if it is a key's. */
const RECORD_BYTES = (RECORD_WORDS + 1) * 4;
/** Segments that are not full yet: of records, and of buckets. */
const BEGUN_BYTES = 512 * 1024;
/** An account's object, its id, and its places in the tables of accounts; measured in `memory-bytes.test.ts`. */
const ACCOUNT_BYTES = 512;
/** Accounts may take this share without any record having to go. */
const ACCOUNTS_SHARE = 1 / 8;
/** However many accounts there are, so much is left for counting. */
const MIN_RECORDS = 10;

/** Bytes taken by tables of `tableBytes` and by the accounts. */
export function velocityBytes(tableBytes: number, accounts: number): number {
  return tableBytes + accounts * ACCOUNT_BYTES;
}

/** Records that may be in use beside so many accounts. */
export function recordsWithin(maxBytes: number, accounts: number): number {
  const forAccounts = Math.max(maxBytes * ACCOUNTS_SHARE, accounts * ACCOUNT_BYTES);
  const forRecords = maxBytes - BEGUN_BYTES - forAccounts;
  return Math.max(MIN_RECORDS, Math.floor(forRecords / RECORD_BYTES));
}

/** The bound at which so many records fit: the inverse of `recordsWithin` for few accounts. */
export function bytesFor(records: number): number {
  return Math.ceil((records * RECORD_BYTES + BEGUN_BYTES) / (1 - ACCOUNTS_SHARE)) + 1;
}
