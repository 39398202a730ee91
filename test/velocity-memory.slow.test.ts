/** Velocity keeps its memory limit, measured from outside, in a separate process that fills it. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { IS_LONG } from './support/long-version.ts';

const MIB = 1024 * 1024;
/** Memory that a Node.js process needs besides for short-lived objects, whatever the limit is. */
const RSS_TOLERANCE_BYTES = 60 * MIB;
/** The test measures bytes, not seconds, so it may wait for other work on the machine. */
const PATIENCE_MS = 180_000;

/** Accounts, and their memory limit in MB. */
const CASES = IS_LONG
  ? [
      [1, 16],
      [100, 16],
      [50_000, 48],
    ]
  : [
      [1, 16],
      [10_000, 16],
    ];

it.each(CASES as [number, number][])(
  '%i accounts whose keys never repeat take no more than their %i MB',
  { timeout: PATIENCE_MS },
  (accounts, megabytes) => {
    const args = ['--expose-gc', 'bench/memory.mjs', String(megabytes), String(accounts)];
    const { held, ownBytes, realBytes, rssBytes } = JSON.parse(
      execFileSync(process.execPath, args, { encoding: 'utf8' }),
    );
    expect(realBytes).toBeLessThan(megabytes * MIB);
    expect(rssBytes).toBeLessThan(megabytes * MIB + RSS_TOLERANCE_BYTES);
    // Its own figure is true, and it uses the memory that it may.
    expect(ownBytes).toBeLessThanOrEqual(megabytes * MIB);
    expect(realBytes).toBeLessThan(ownBytes * 1.1);
    expect(ownBytes).toBeGreaterThan(megabytes * MIB * 0.75);
    expect(held).toBeGreaterThan(((megabytes * MIB - accounts * 512) / 105) * 0.75);
  },
);
