/** Decides the id of a campaign: the same wherever and whenever the same is learned. */
import { hash } from 'node:crypto';
import { createUlid } from '../contract/ulid.ts';

const WORD_BYTES = 4;

/**
 * @param key of scope and mark
 * @param openedAt milliseconds since the epoch: ids sort by it, and a wave that comes again after its end has another
 */
export function campaignId(accountId: string, key: string, openedAt: number): string {
  const digest = hash('sha256', `${accountId} ${key} ${openedAt}`, 'buffer');
  let at = -WORD_BYTES;
  const makeId = createUlid(() => {
    at += WORD_BYTES;
    return digest.readUInt32BE(at);
  });
  return `cmp_${makeId(openedAt)}`;
}
