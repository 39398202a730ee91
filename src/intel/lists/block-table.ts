/** Finds the CIDR blocks around an address, the longest prefix first, at the price of one look-up a prefix length in use. */
import type { IpAddress } from '../../address/ip.ts';
import { type Block, maskWords } from './block.ts';

export interface BlockTable<T> {
  get(block: Block): T | undefined;
  set(block: Block, value: T): void;
  delete(block: Block): void;
  /** The first value, from the longest prefix on, that `accept` makes something of. */
  find<R>(ip: IpAddress, accept: (value: T) => R | undefined): R | undefined;
}

/** All blocks of one prefix length, by the text of their words. */
interface Level<T> {
  readonly bits: number;
  readonly values: Map<string, T>;
}

export function createBlockTable<T>(): BlockTable<T> {
  /** Longest prefix first. */
  const levels: Record<4 | 6, Level<T>[]> = { 4: [], 6: [] };

  const levelOf = ({ base, bits }: Block) => levels[base.version].find((level) => level.bits === bits);
  const nameOf = (words: readonly number[], bits: number) => maskWords(words, bits).join(' ');

  return {
    get: (block) => levelOf(block)?.values.get(nameOf(block.base.words, block.bits)),
    set(block, value) {
      let level = levelOf(block);
      if (level === undefined) {
        level = { bits: block.bits, values: new Map() };
        levels[block.base.version].push(level);
        levels[block.base.version].sort((a, b) => b.bits - a.bits);
      }
      level.values.set(nameOf(block.base.words, block.bits), value);
    },
    delete(block) {
      const level = levelOf(block);
      level?.values.delete(nameOf(block.base.words, block.bits));
      if (level?.values.size === 0) {
        levels[block.base.version] = levels[block.base.version].filter((other) => other !== level);
      }
    },
    find(ip, accept) {
      for (const { bits, values } of levels[ip.version]) {
        const value = values.get(nameOf(ip.words, bits));
        const found = value === undefined ? undefined : accept(value);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}
