/** Finds the CIDR blocks around an address, the longest prefix first, with one look-up for each prefix length in use. */
import { type Block, maskWords } from '../address/block.ts';
import type { IpAddress } from '../model/signup-attempt.ts';

export interface BlockTable<T> {
  get(block: Block): T | undefined;
  set(block: Block, value: T): void;
  delete(block: Block): void;
  /** The first result of `accept` that is not `undefined`, from the longest prefix on. */
  find<R>(ip: IpAddress, accept: (value: T) => R | undefined): R | undefined;
}

/** All blocks of one prefix length. */
interface Level<T> {
  readonly bits: number;
  /** Name that distinguishes blocks of this length: a number for IPv4, a text for IPv6. */
  readonly nameOf: (words: readonly number[]) => number | string;
  readonly values: Map<number | string, T>;
}

export function createBlockTable<T>(): BlockTable<T> {
  /** Longest prefix first. */
  const levels: Record<4 | 6, Level<T>[]> = { 4: [], 6: [] };
  const levelOf = ({ base, bits }: Block) => levels[base.version].find((level) => level.bits === bits);

  return {
    get(block) {
      const level = levelOf(block);
      return level?.values.get(level.nameOf(block.base.words));
    },
    set(block, value) {
      let level = levelOf(block);
      if (level === undefined) {
        level = { bits: block.bits, nameOf: namer(block), values: new Map() };
        levels[block.base.version].push(level);
        levels[block.base.version].sort((a, b) => b.bits - a.bits);
      }
      level.values.set(level.nameOf(block.base.words), value);
    },
    delete(block) {
      const level = levelOf(block);
      level?.values.delete(level.nameOf(block.base.words));
      if (level?.values.size === 0) {
        levels[block.base.version] = levels[block.base.version].filter((other) => other !== level);
      }
    },
    find(ip, accept) {
      for (const { nameOf, values } of levels[ip.version]) {
        const value = values.get(nameOf(ip.words));
        const found = value === undefined ? undefined : accept(value);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

/** Called for every assessment and every prefix length, so the masks are made once. */
function namer({ base, bits }: Block): Level<unknown>['nameOf'] {
  const [m0 = 0, m1 = 0, m2 = 0, m3 = 0] = maskWords([~0, ~0, ~0, ~0], bits);
  const word = (words: readonly number[], at: number) => words[at] as number;
  if (base.version === 4) return (words) => word(words, 0) & m0;
  if (bits <= 64) return (words) => `${word(words, 0) & m0} ${word(words, 1) & m1}`;
  return (words) => `${word(words, 0)} ${word(words, 1)} ${word(words, 2) & m2} ${word(words, 3) & m3}`;
}
