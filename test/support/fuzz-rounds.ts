/** How many hostile requests a run of `node scripts/fuzz.mjs` sends, and whether memory stays flat meanwhile. */
import { expect, it } from 'vitest';
import { retainedBytes } from './retained-memory.ts';
import type { Service } from './service.ts';

/** Set by scripts/fuzz.mjs: the number of rounds in this process, each with the next seed. */
const ROUNDS = Number(process.env.GATEHOUSE_FUZZ_ROUNDS ?? 1);
/** Set GATEHOUSE_TEST_SEED to send other requests. */
const SEED = Number(process.env.GATEHOUSE_TEST_SEED ?? 20260510);
export const SEEDS = Array.from({ length: ROUNDS }, (_, round) => SEED + round);

const MB = 1_000_000;
/** The first rounds fill caches and compile code. */
const WARM_UP_ROUNDS = 2;
/** Independent of the number of rounds. */
const SLACK_MB = 5;
const IS_MEASURED = ROUNDS > WARM_UP_ROUNDS;

/** Bytes in use after each round. */
export type MemoryRounds = number[];

/** Call after each round. Not included: the memory of velocity counts, which has its own limit, and the log, which only the test keeps. */
export async function noteMemory(kept: MemoryRounds, { url, output }: Service): Promise<void> {
  if (!IS_MEASURED) return;
  const text = await (await fetch(`${url}/metrics`)).text();
  const velocity = Number(/^gatehouse_velocity_bytes (\S+)$/m.exec(text)?.[1]);
  kept.push((await retainedBytes()) - velocity - output().length);
}

/** Call after all rounds. `sent`: requests so far; `mbOfRound`: MB that caches and the test runner may keep for each round after the second. */
export function itKeepsMemoryFlat(kept: MemoryRounds, mbOfRound: number, sent: () => number): void {
  const limitMb = SLACK_MB + mbOfRound * (ROUNDS - WARM_UP_ROUNDS);
  it.runIf(IS_MEASURED)(`keeps at most ${limitMb} MB of the rounds after the second`, () => {
    const grown = ((kept.at(-1) as number) - (kept[WARM_UP_ROUNDS - 1] as number)) / MB;
    const rounds = kept.map((bytes) => (bytes / MB).toFixed(1)).join(' ');
    process.stdout.write(`sent ${sent()}; kept after each round, MB: ${rounds}\n`);
    expect(kept).toHaveLength(ROUNDS);
    expect(grown).toBeLessThan(limitMb);
  });
}
