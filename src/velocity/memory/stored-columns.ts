/** Reads attempts that come as columns. */
import {
  type AttemptChunk,
  type AttemptColumns,
  KEY_BOUNDS,
  MARKS,
  type VelocityEvent,
} from '../../model/velocity-event.ts';

export function isColumns(chunk: AttemptChunk): chunk is AttemptColumns {
  return 'bytes' in chunk;
}

/** The attempt at a place, in the form of a new one. Nothing asks a counted attempt for its id. */
export function eventAt(
  { accounts, account, at, marks, keys, bytes }: AttemptColumns,
  index: number,
): VelocityEvent {
  const key = (number: number) => {
    const bound = index * KEY_BOUNDS + 2 * number;
    return Buffer.from(bytes.subarray(keys[bound], keys[bound + 1])).toString();
  };
  const mark = marks[index] as number;
  return {
    id: '',
    account: accounts[account[index] as number] as string,
    at: at[index] as number,
    network: key(0) === '' ? null : key(0),
    domain: key(1),
    addressHash: key(2),
    mailbox: key(3),
    blocked: (mark & MARKS.blocked) !== 0 || undefined,
    named: (mark & MARKS.named) !== 0 || undefined,
  };
}
