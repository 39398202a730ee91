/** Decides which addresses a block of addresses spans, from the first to the last. */
import { fromWords, parseIp } from '../address/ip.ts';
import { alignBlock, parseBlock } from './list-block.ts';

/** Canonical texts; of one address, itself twice. Bits beyond the prefix are passed over. */
export function readBlockRange(text: string): { first: string; last: string } | undefined {
  const given = text.trim();
  if (!given.includes('/')) {
    const ip = parseIp(given);
    return ip === undefined ? undefined : { first: ip.text, last: ip.text };
  }
  const block = parseBlock(given);
  if (block === undefined) return undefined;
  const { base, bits } = alignBlock(block);
  const last = base.words.map((word, at) => {
    const kept = Math.min(32, Math.max(0, bits - at * 32));
    return kept === 32 ? word : (word | (0xffffffff >>> kept)) >>> 0;
  });
  return { first: base.text, last: fromWords(last).text };
}
