/** Decides the key of a group: 64 bits of its account, its scope and its mark. */

const SEED_LOW = 0x41c6ce57;
const SEED_HIGH = 0xdeadbeef | 0;

/**
 * Two 32-bit halves of a hash. They are the same on every node and after a restart; who finds two texts with one key only joins
 * two groups of their own account.
 */
export interface GroupKey {
  readonly low: number;
  readonly high: number;
}

export function keyOfText(text: string): GroupKey {
  let low = SEED_LOW;
  let high = SEED_HIGH;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x5f356495);
    high = Math.imul(high ^ unit, 0x9e3779b1);
  }
  return { low: finish(low, high), high: finish(high, low) };
}

/** Key of both together, in this order. */
export function joinKeys(first: GroupKey, second: GroupKey): GroupKey {
  const low = Math.imul(first.low ^ 0x2c1b3c6d, 0x297a2d39) ^ second.low;
  const high = Math.imul(first.high ^ 0x1b873593, 0x85ebca6b) ^ second.high;
  return { low: finish(low, high), high: finish(high, low) };
}

/** Text of a key, 16 digits. */
export function hexOf({ low, high }: GroupKey): string {
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

const HIGH_BITS = 0x1fffff;

/** Key as a number that a Map finds quickly: 53 of its 64 bits. */
export function numberOf({ low, high }: GroupKey): number {
  return (high & HIGH_BITS) * 2 ** 32 + (low >>> 0);
}

/** Key from its text. */
export function keyOfHex(text: string): GroupKey {
  return { high: Number.parseInt(text.slice(0, 8), 16) | 0, low: Number.parseInt(text.slice(8), 16) | 0 };
}

/** Number of a key from its text. */
export function numberOfHex(text: string): number {
  return numberOf(keyOfHex(text));
}

/** Lets every bit of both change the result. */
function finish(value: number, other: number): number {
  const mixed = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
