import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Feed } from './feed.ts';
import { type AdmitResult, createAdmit } from './feed-admit.ts';
import { createArchive, type FeedArchive, versionOf } from './feed-archive.ts';
import { readGuards } from './feed-guards.ts';
import { parseFeed } from './feed-parse.ts';
import { newState, withRollback } from './feed-state.ts';
import { FEEDS } from './feeds.ts';
import { createFileRepository } from './repository-files.ts';

const { minEntries: _, ...row } = FEEDS.find(({ id }) => id === 'abuse-levels') as Feed;
const feed: Feed = { ...row, url: 'https://publisher.example/list' };
const DAY = 86_400_000;
const guards = readGuards();

let dataDir: string;
let damage: string[];
let archive: FeedArchive;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-archive-'));
  damage = [];
  archive = createArchive({
    records: createFileRepository(dataDir).feeds,
    onDamage: (id, what) => damage.push(`${id}: ${what}`),
  });
});
afterEach(() => rm(dataDir, { recursive: true }));

/** Stores bytes as a refresh does. */
async function arrive(body: string, fetchedAt = 0, of: Feed = feed): Promise<AdmitResult> {
  const admit = createAdmit({ archive, guards, parse: parseFeed });
  const { result, state } = await admit(of, {
    bytes: Buffer.from(body),
    fetchedAt,
    etag: '"e"',
    lastModified: null,
  });
  await archive.saveState(of.id, state);
  await archive.prune(of.id, state);
  return result;
}
const version = (body: string) => versionOf(Buffer.from(body));
const FIRST = '45.9.0.1\t3\n45.9.0.2\t5\n';
const SECOND = '45.9.0.2\t4\n45.9.0.3\t1\n';

describe('versions', () => {
  it('are activated, confirmed and refused', async () => {
    expect(await arrive(FIRST, 1)).toEqual({ outcome: 'changed', version: version(FIRST), entries: 2 });
    expect(await arrive(FIRST, 5)).toEqual({ outcome: 'unchanged' });
    expect(await arrive('<html>', 6)).toMatchObject({ outcome: 'refused' });
    expect(await archive.state(feed)).toMatchObject({
      etag: '"e"',
      current: version(FIRST),
      versions: [{ version: version(FIRST), fetchedAt: 1, seenAt: 5, entries: 2 }],
      refused: true,
      refusal: { at: 6, version: version('<html>'), why: expect.stringContaining('cannot be read') },
    });
    expect(await arrive(FIRST, 7)).toEqual({ outcome: 'unchanged' });
    expect(await archive.state(feed)).toMatchObject({ refused: false, refusal: { at: 6 } });
  });

  it('are kept, the last five', async () => {
    const bodies = Array.from({ length: 7 }, (_, at) => `45.9.1.${at}\t1\n`);
    for (const [at, body] of bodies.entries()) await arrive(body, at);
    const { versions } = await archive.state(feed);
    expect(versions.map(({ version }) => version)).toEqual(bodies.slice(-5).map(version));
    for (const body of bodies.slice(-5)) {
      expect(Buffer.from((await archive.raw(feed.id, version(body))) ?? []).toString()).toBe(body);
    }
    const files = await readdir(join(dataDir, 'intel', 'feeds', feed.id));
    expect(files.filter((name) => /^[0-9a-f]{16}\.gz$/.test(name))).toHaveLength(5);
  });

  it('that are rolled back are not accepted again until the publisher has another', async () => {
    for (const [at, body] of [FIRST, SECOND].entries()) await arrive(body, at);
    await archive.saveState(feed.id, withRollback(await archive.state(feed)));
    expect(await archive.state(feed)).toMatchObject({ current: version(FIRST), held: [version(SECOND)] });
    expect(await arrive(SECOND, 5)).toEqual({ outcome: 'held', version: version(SECOND) });
    const third = '45.9.0.4\t1\n';
    expect(await arrive(third, 6)).toMatchObject({ outcome: 'changed' });
    const state = await archive.state(feed);
    expect(state).toMatchObject({ current: version(third), held: [] });
    // The version that was rolled back is skipped.
    expect(withRollback(state).current).toBe(version(FIRST));
    expect(() => withRollback(withRollback(state))).toThrow('no earlier good version');
  });

  it('from another address are not compared with earlier ones', async () => {
    await arrive(Array.from({ length: 100 }, (_, at) => `45.9.2.${at}\t1`).join('\n'));
    expect(await arrive(FIRST)).toMatchObject({ outcome: 'refused' });
    expect(await arrive(FIRST, 1, { ...feed, url: 'https://mirror.example/' })).toMatchObject({
      outcome: 'changed',
    });
  });
});

describe('departed entries', () => {
  it('are remembered for two weeks, with their level and when they were last listed', async () => {
    await arrive(FIRST, DAY);
    await arrive(SECOND, 2 * DAY);
    expect(await archive.departed(feed.id)).toEqual([{ entry: '45.9.0.1', level: 3, lastSeen: DAY }]);
    await arrive('45.9.0.1\t1\n', 3 * DAY);
    expect(await archive.departed(feed.id)).toEqual([
      { entry: '45.9.0.2', level: 4, lastSeen: 2 * DAY },
      { entry: '45.9.0.3', level: 1, lastSeen: 2 * DAY },
    ]);
    await arrive('45.9.0.9\t1\n', 16 * DAY);
    expect(await archive.departed(feed.id)).toEqual([{ entry: '45.9.0.1', level: 1, lastSeen: 3 * DAY }]);
  });

  it('are forgotten if a feed is not about abuse', async () => {
    const other: Feed = { ...feed, format: 'addresses', category: 'vpn' };
    await arrive('45.9.0.1\n', 1, other);
    await arrive('45.9.0.2\n', 2, other);
    expect(await archive.departed(feed.id)).toEqual([]);
  });
});

describe('damaged data on disk counts as absent', () => {
  it('and is reported, never thrown', async () => {
    await arrive(FIRST);
    await arrive(SECOND);
    for (const name of ['state.json', 'departed.gz', `${version(FIRST)}.gz`]) {
      await writeFile(join(dataDir, 'intel', 'feeds', feed.id, name), '{"broken');
    }
    expect(await archive.state(feed)).toEqual(newState(feed.url));
    expect(await archive.departed(feed.id)).toEqual([]);
    expect(await archive.raw(feed.id, version(FIRST))).toBeUndefined();
    expect(damage).toHaveLength(3);
    expect(await arrive(FIRST)).toMatchObject({ outcome: 'changed' });
  });

  it('also if a version does not match its name', async () => {
    await arrive(FIRST);
    await arrive(SECOND);
    const file = (body: string) => join(dataDir, 'intel', 'feeds', feed.id, `${version(body)}.gz`);
    await copyFile(file(FIRST), file(SECOND));
    expect(await archive.raw(feed.id, version(SECOND))).toBeUndefined();
    expect(await arrive(SECOND)).toMatchObject({ outcome: 'changed' });
  });
});
