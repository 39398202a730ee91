/** A database in which nodes of an earlier release shared folders of files: feeds keep their versions and rollbacks. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { expect, it } from 'vitest';
import { newDatabase } from '../../../test/support/shared-servers.ts';
import { createArchive, versionOf } from '../../intel/feed-archive.ts';
import { type FeedState, newState, withRollback, withVersion } from '../../intel/feed-state.ts';
import { openIntelRepository } from './intel-repository.ts';
import { migrate } from './migrate.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
const BEFORE = 'feed-rounds';
const PART_BYTES = 1_000;
const feed = { id: 'a-feed', url: 'https://publisher.example/list' };

/** As the earlier release left it. */
async function createOld(client: pg.Client): Promise<void> {
  const files = readdirSync(FOLDER).sort();
  const last = files.findIndex((name) => name.includes(BEFORE));
  await client.query(
    'CREATE TABLE gatehouse_migrations (number int PRIMARY KEY, name text, applied_at timestamptz)',
  );
  for (const [at, name] of files.slice(0, last).entries()) {
    await client.query(readFileSync(new URL(name, FOLDER), 'utf8'));
    await client.query('INSERT INTO gatehouse_migrations (number, name) VALUES ($1, $2)', [at + 1, name]);
  }
}

async function share(client: pg.Client, folder: string, name: string, bytes: Buffer): Promise<void> {
  const hash = createHash('sha256').update(bytes).digest('hex');
  await client.query('INSERT INTO shared_files VALUES ($1, $2, $3, $4)', [folder, name, hash, bytes.length]);
  for (let part = 0; part * PART_BYTES < bytes.length; part += 1) {
    const piece = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
    await client.query('INSERT INTO shared_chunks VALUES ($1, $2, $3, $4)', [folder, name, part, piece]);
  }
}

it('an upgrade keeps every feed of the newest folder: state, rollback, versions and departed entries', async () => {
  const url = await newDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await createOld(client);
  const lists = ['first', 'second'].map((name) =>
    Buffer.from(Array.from({ length: 900 }, (_, at) => `${name}-${at * 7919}.example\n`).join('')),
  ) as [Buffer, Buffer];
  const add = (state: FeedState, bytes: Buffer, at: number) =>
    withVersion(state, { version: versionOf(bytes), fetchedAt: at, seenAt: at, entries: 900 });
  const old = add(newState(feed.url), lists[0], 1);
  const state = withRollback(add(old, lists[1], 2));
  const folders = [
    { folder: 'base of before', at: 1_000, kept: old, departed: 'old.example\t1\t1\n' },
    { folder: 'newest base', at: 2_000, kept: state, departed: 'gone.example\t1\t2\n' },
  ];
  for (const { folder, at, kept, departed } of folders) {
    await client.query('INSERT INTO shared_folders VALUES ($1, 1, $2)', [folder, at]);
    await share(client, folder, 'feeds/a-feed/state.json', Buffer.from(JSON.stringify(kept)));
    await share(client, folder, 'feeds/a-feed/departed.gz', gzipSync(departed));
    for (const { version } of kept.versions) {
      const bytes = lists.find((list) => versionOf(list) === version) as Buffer;
      await share(client, folder, `feeds/a-feed/${version}.gz`, gzipSync(bytes));
    }
    await share(client, folder, 'feeds/broken/state.json', Buffer.from('{"broken'));
    await share(client, folder, 'snapshots/0123456789abcdef.snapshot', Buffer.from('compiled again'));
  }

  await migrate(url);
  const repository = openIntelRepository({ url, build: 'this release', scope: 'this release' });
  const archive = createArchive({ records: repository.feeds, onDamage: () => {} });
  expect(await archive.state(feed)).toEqual(state);
  expect(lists[0].equals((await archive.raw(feed.id, versionOf(lists[0]))) ?? Buffer.alloc(0))).toBe(true);
  expect(await archive.departed(feed.id)).toEqual([{ entry: 'gone.example', level: 1, lastSeen: 2 }]);
  expect((await archive.state({ ...feed, id: 'broken' })).current).toBeNull();
  expect(await repository.snapshots.current()).toBeUndefined();
  // A node of the earlier release that still runs finds its own files.
  expect((await client.query('SELECT FROM shared_files')).rowCount).toBeGreaterThan(0);
  await repository.close();
  await client.end();
});
