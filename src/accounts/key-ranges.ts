/** Decides which addresses the callers of a key may have: those in its CIDR blocks. */
import { alignBlock, type Block, hostMask, parseBlock, writeBlock } from '../address/block.ts';
import { parseIp } from '../address/ip.ts';

/** Max. blocks of a key: each is compared with the address of each request. */
export const MAX_RANGES = 50;

/** Canonical form of a block, or of an address as a block of one; `undefined` if it is neither. */
export function readRange(text: string): string | undefined {
  const trimmed = text.trim();
  const address = trimmed.includes('/') ? undefined : parseIp(trimmed);
  const block =
    address === undefined ? parseBlock(trimmed) : { base: address, bits: address.words.length * 32 };
  return block === undefined ? undefined : writeBlock(alignBlock(block));
}

/** Whether an address in its text form is in one of these blocks. @param ranges in canonical form */
export function createRangeCheck(ranges: readonly string[]): (ip: string) => boolean {
  const checks = ranges.flatMap((range) => parseBlock(range) ?? []).map(createBlockCheck);
  return (ip) => {
    const words = parseIp(ip)?.words;
    return words !== undefined && checks.some((contains) => contains(words));
  };
}

function createBlockCheck({ base, bits }: Block): (words: readonly number[]) => boolean {
  const masks = base.words.map((_, at) => ~hostMask(bits - at * 32));
  return (words) =>
    words.length === masks.length &&
    words.every((word, at) => ((word ^ (base.words[at] as number)) & (masks[at] as number)) === 0);
}
