// Ten thousand accounts with a realistic skew: shares by Zipf’s law, a time zone each, a limit, and their Redis hash slot.
import { createPicker, createRandom } from './random.mjs';

const SLOTS = 16_384;

/** @returns accounts, largest first, with their share of the volume */
export function makeAccounts({ seed, accounts: count, largestShare, zones }) {
  const random = createRandom(seed, 'accounts');
  const pickZone = createPicker(
    zones.map(({ share }) => share),
    random,
  );
  const shares = zipfShares(count, largestShare);
  return shares.map((share, index) => {
    const id = `acc_${String(index).padStart(5, '0')}${random.bits().toString(36)}`;
    return { index, id, share, zone: zones[pickZone()], slot: slotOf(id) };
  });
}

/** The smallest usual limit that is at least three times the busiest second of an ordinary day of the account. */
export function rateLimitOf({ share }, perDay, { rateLimits }) {
  const busiest = (3 * 2 * share * perDay) / 86_400;
  return rateLimits.find((limit) => limit >= busiest) ?? rateLimits.at(-1);
}

/** The slot in which Redis Cluster keeps everything with this hash tag. */
export function slotOf(tag) {
  return crc16(tag) % SLOTS;
}

/** Index of the range of slots that serves an account, of `shards` equal ones. */
export function shardOf({ slot }, shards) {
  return Math.floor((slot * shards) / SLOTS);
}

/** Finds the exponent that gives the largest account its share. */
function zipfShares(count, largest) {
  let [low, high] = [0, 3];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (1 / weightSum(count, middle) < largest) low = middle;
    else high = middle;
  }
  const sum = weightSum(count, low);
  return Array.from({ length: count }, (_, index) => (index + 1) ** -low / sum);
}

function weightSum(count, exponent) {
  let sum = 0;
  for (let rank = 1; rank <= count; rank += 1) sum += rank ** -exponent;
  return sum;
}

/** CRC-16/XMODEM */
function crc16(text) {
  let crc = 0;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
}
