/** Duties of every adapter of the repository: store feeds and snapshots unchanged, and allow one writer at a time. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { FeedKey, IntelRepository, SnapshotRecord } from './repository.ts';

const FEED: FeedKey = { id: 'a-feed', url: 'https://publisher.example/list' };
const OTHER: FeedKey = { id: 'other', url: 'https://publisher.example/other' };
const V1 = '1111111111111111';
const V2 = '2222222222222222';
const V3 = '3333333333333333';

/** @param open opens the same repository once more, as another process or node does; it is empty for each test */
export function describeRepository(open: () => IntelRepository): void {
  const inRound = (repository: IntelRepository, work: () => Promise<void>) =>
    repository.lock.tryHold(() => work().then(() => true));

  describe('feeds', () => {
    it('are read by every node as they were written, in the requested order', async () => {
      const [writer, reader] = [open(), open()];
      expect(await reader.feeds.states([FEED, OTHER])).toEqual([undefined, undefined]);
      expect(await reader.feeds.departed(FEED.id)).toBeUndefined();
      const bytes = randomBytes(100_000);
      await inRound(writer, async () => {
        await writer.feeds.saveVersion(FEED.id, V1, bytes);
        await writer.feeds.saveDeparted(FEED.id, Buffer.from('gone'));
        await writer.feeds.saveState(FEED, '{"first":1}', [V1]);
        await writer.feeds.saveState(OTHER, '{"other":1}', []);
        await writer.feeds.saveState(FEED, '{"second":2}', [V1]);
      });
      expect(await reader.feeds.states([OTHER, FEED])).toEqual(['{"other":1}', '{"second":2}']);
      expect(bytes.equals((await reader.feeds.version(FEED.id, V1)) ?? Buffer.alloc(0))).toBe(true);
      expect(await reader.feeds.version(OTHER.id, V1)).toBeUndefined();
      expect(`${await reader.feeds.departed(FEED.id)}`).toBe('gone');
    });

    it('lose versions that no state refers to', async () => {
      const repository = open();
      const { feeds } = repository;
      await inRound(repository, async () => {
        for (const version of [V1, V2, V3]) await feeds.saveVersion(FEED.id, version, Buffer.from(version));
        await feeds.saveVersion(OTHER.id, V1, Buffer.from(V1));
        await feeds.saveState(FEED, '{}', [V2, V3]);
        await feeds.prune(FEED.id, [V2, V3]);
      });
      const kept = await Promise.all([V1, V2, V3].map((version) => feeds.version(FEED.id, version)));
      expect(kept.map((bytes) => bytes?.toString())).toEqual([undefined, V2, V3]);
      expect(await feeds.version(OTHER.id, V1)).toBeDefined();
    });
  });

  describe('the active snapshot', () => {
    const record = (id: string): SnapshotRecord => ({ id, key: `made of ${id}`, base: V3, at: 1_000 });

    it('is published completely, and read by every node', async () => {
      const [writer, reader] = [open(), open()];
      expect(await reader.snapshots.current()).toBeUndefined();
      expect(await reader.snapshots.newest(V3)).toBeUndefined();
      const bytes = randomBytes(9_000_000);
      await inRound(writer, () => writer.snapshots.publish(record(V1), bytes));
      expect(await reader.snapshots.current()).toEqual(record(V1));
      expect(await reader.snapshots.newest(V3)).toEqual(record(V1));
      expect(bytes.equals((await reader.snapshots.read(V1)) ?? Buffer.alloc(0))).toBe(true);
      expect(await reader.snapshots.read(V2)).toBeUndefined();
    });

    it('is replaced by the next snapshot, and can be forgotten only while it is active', async () => {
      const repository = open();
      const { snapshots } = repository;
      await inRound(repository, async () => {
        await snapshots.publish(record(V1), randomBytes(10));
        await snapshots.publish(record(V2), randomBytes(4 * 1024 * 1024));
        await snapshots.forget(V1);
      });
      expect((await snapshots.current())?.id).toBe(V2);
      expect((await snapshots.read(V2))?.byteLength).toBe(4 * 1024 * 1024);
      await inRound(repository, () => snapshots.forget(V2));
      expect(await snapshots.current()).toBeUndefined();
    });
  });

  describe('the lock', () => {
    it('has one holder at a time, within a process and across processes', async () => {
      const repositories = [open(), open(), open()];
      let inside = 0;
      let max = 0;
      const work = async () => {
        inside += 1;
        max = Math.max(max, inside);
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside -= 1;
        return 'done';
      };
      const tries = Array.from({ length: 9 }, (_, at) =>
        (repositories[at % 3] as IntelRepository).lock.tryHold(work),
      );
      const results = await Promise.all(tries);
      expect(results).toContain('done');
      expect(results).toContain(undefined);
      expect({ max, inside }).toEqual({ max: 1, inside: 0 });
      expect(await repositories[1]?.lock.tryHold(work)).toBe('done');
    });

    it('is released when the work fails', async () => {
      const [first, second] = [open(), open()];
      await expect(first.lock.tryHold(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
      expect(await second.lock.tryHold(async () => 'free')).toBe('free');
    });
  });
}
