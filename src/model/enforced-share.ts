/** Decides for whom a key enforces its verdicts: for a share of all people, always the same ones. For the others it only observes. */

/** Percent, a whole number. */
export const MAX_SHARE = 100;
const EVERYBODY = 2 ** 32;

export interface ShareOfKey {
  readonly id: string;
  /** People whose signups are answered with the verdict, in percent, 0 to 100; 0: nobody, all answers are `allow`. */
  readonly enforcedShare: number;
}

/** Whether a key is in shadow mode: it only observes, all people or some. */
export function isInShadow({ enforcedShare }: Pick<ShareOfKey, 'enforcedShare'>): boolean {
  return enforcedShare < MAX_SHARE;
}

/**
 * Whether a key answers a person with the verdict. A larger share has everybody of a smaller one; the people of two keys are
 * independent.
 * @param mailboxHash keyed hash of the mailbox, which is the same for all spellings of an address
 */
export function isEnforced({ id, enforcedShare }: ShareOfKey, mailboxHash: string): boolean {
  if (enforcedShare >= MAX_SHARE) return true;
  if (enforcedShare <= 0) return false;
  return placeOf(id, mailboxHash) * MAX_SHARE < enforcedShare * EVERYBODY;
}

/** Place of a person among all people of a key, 0 to 2^32 - 1: FNV-1a with the last step of MurmurHash3. */
function placeOf(keyId: string, mailboxHash: string): number {
  let hash = addText(addText(0x811c9dc5, keyId), mailboxHash);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function addText(begun: number, text: string): number {
  let hash = begun;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
