/** Decides the id of a campaign: the same wherever and whenever the same is learned. */
import { hash } from 'node:crypto';
import { createUlid } from '../contract/ulid.ts';

const WORD_BYTES = 4;

/**
 * @param key of scope and mark
 * @param since the first member's time, milliseconds since the epoch: ids sort by it
 */
export function campaignId(accountId: string, key: string, since: number): string {
  const digest = hash('sha256', `${accountId} ${key} ${since}`, 'buffer');
  let at = -WORD_BYTES;
  const makeId = createUlid(() => {
    at += WORD_BYTES;
    return digest.readUInt32BE(at);
  });
  return `cmp_${makeId(since)}`;
}
