import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newMigratedDatabase } from '../../../test/support/shared-servers.ts';
import { startTcpProxy, type TcpProxy } from '../../../test/support/tcp-proxy.ts';
import { describeRepository } from '../../intel/repository.suite.ts';
import type { IntelRepository } from '../../intel/repository.ts';
import { type IntelRepositoryOptions, openIntelRepository } from './intel-repository.ts';

const FEED = { id: 'a-feed', url: 'https://a.example' };
const SOON = { timeout: 90_000, interval: 20 };
const HOLDER = resolve(import.meta.dirname, '../../../test/support/hold-intel-lock.mjs');

let url: string;
let opened: IntelRepository[];
let children: ChildProcess[];
let proxy: TcpProxy | undefined;
beforeEach(async () => {
  url = await newMigratedDatabase();
  opened = [];
  children = [];
});
afterEach(async () => {
  await Promise.all(opened.map((repository) => repository.close()));
  for (const child of children) child.kill('SIGKILL');
  await proxy?.close();
  proxy = undefined;
});

function open(options: Partial<IntelRepositoryOptions> = {}): IntelRepository {
  const repository = openIntelRepository({ url, build: 'build', scope: 'scope', ...options });
  opened.push(repository);
  return repository;
}

async function sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Ends the connection that holds the lock, as the server does after a silence, and waits until it is gone. */
const endHolder = () =>
  sql(`SELECT pg_terminate_backend(pid, 30000) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7126005
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);

const recordOf = (id: string) => ({ id: id.repeat(16), key: id, base: 'base', at: 1_000 });
const save = ({ feeds }: IntelRepository, state: string, feed = FEED) => feeds.saveState(feed, state, []);
const stateIn = async ({ feeds }: IntelRepository) => (await feeds.states([FEED]))[0];

describeRepository(() => open());

describe('only the holder of the lock', () => {
  it('can write', async () => {
    const repository = open();
    await expect(save(repository, '1')).rejects.toThrow('feed update was interrupted');
    await repository.lock.tryHold(() => save(repository, '2').then(() => true));
    await expect(save(repository, '3')).rejects.toThrow('check `gatehouse intel status` and retry');
    expect(await stateIn(repository)).toBe('2');
  });

  it('can write, but not after the server ended its connection, although it reconnects and reads', async () => {
    const [node, other] = [open(), open()];
    const outcome = await node.lock.tryHold(async (lost) => {
      await save(node, '"before"');
      await endHolder();
      await expect.poll(() => lost.aborted, SOON).toBe(true);
      expect(await stateIn(node)).toBe('"before"');
      await other.lock.tryHold(() => save(other, '"of the other"').then(() => true));
      // The work of the lost round has not ended, so no second round begins in this process.
      expect(await node.lock.tryHold(async () => 'second')).toBeUndefined();
      return save(node, '"after"').then(
        () => 'wrote',
        (error: Error) => error.message,
      );
    });
    expect(outcome).toContain('the connection to the database was lost');
    expect(await stateIn(other)).toBe('"of the other"');
    expect(await node.lock.tryHold(() => save(node, '"next"').then(() => 'wrote'))).toBe('wrote');
  });
});

describe('a round that loses the lock', () => {
  const INTERRUPTED = 'feed update was interrupted: the connection to the database was lost';

  it('fails with one sentence, whatever it was doing', async () => {
    const node = open();
    const blocker = new pg.Client({ connectionString: url });
    await blocker.connect();
    await blocker.query('BEGIN; LOCK TABLE intel_snapshots');
    const writing = node.lock.tryHold(async () => {
      const published = node.snapshots.publish(recordOf('a'), randomBytes(8_000_000));
      await Promise.allSettled([published, endHolder()]);
      await published;
      return 'wrote';
    });
    await expect(writing).rejects.toThrow(INTERRUPTED);
    await blocker.end();
    const fetching = node.lock.tryHold(async (lost) => {
      await endHolder();
      await expect.poll(() => lost.aborted, SOON).toBe(true);
      throw new Error('This operation was aborted');
    });
    await expect(fetching).rejects.toThrow(INTERRUPTED);
  });

  it('during a publication, because the network went silent: others take the lock and publish', async () => {
    proxy = await startTcpProxy(new URL(url).host);
    const through = new URL(url);
    through.host = `127.0.0.1:${proxy.port}`;
    const [node, other] = [open({ url: through.href, silenceMs: 400 }), open({ silenceMs: 400 })];
    const silent = node.lock.tryHold(async () => {
      proxy?.stallAfter(1_500_000);
      await node.snapshots.publish(recordOf('a'), randomBytes(8_000_000));
      return 'published';
    });
    const failed = expect(silent).rejects.toThrow(INTERRUPTED);
    const inMessage = `SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND state = 'active' AND wait_event = 'ClientRead'`;
    await expect.poll(async () => (await sql(inMessage)).length, SOON).toBe(1);
    const publish = () =>
      other.lock.tryHold(() =>
        other.snapshots.publish(recordOf('b'), Buffer.from('b')).then(() => 'published'),
      );
    await expect.poll(publish, SOON).toBe('published');
    proxy.flow();
    await failed;
    expect(await other.snapshots.current()).toEqual(recordOf('b'));
  });
});

/** @param silenceMs after this silence the server ends a connection */
async function startHolder(silenceMs: number) {
  const child = spawn(process.execPath, [HOLDER, url, String(silenceMs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  let output = '';
  child.stdout?.on('data', (text) => {
    output += text;
  });
  await expect.poll(() => output, SOON).toBe('held\n');
  return {
    freeze: () => process.kill(child.pid as number, 'SIGSTOP'),
    /** Lets it continue with its write, and returns the result. */
    async thaw(): Promise<string> {
      child.stdin?.write('write\n');
      process.kill(child.pid as number, 'SIGCONT');
      await once(child, 'exit');
      return output.split('\n')[1] as string;
    },
    kill: () => child.kill('SIGKILL'),
  };
}

describe('a node during its round', () => {
  it('that is killed loses the lock at once', async () => {
    const holder = await startHolder(60_000);
    const other = open();
    expect(await other.lock.tryHold(async () => 'taken')).toBeUndefined();
    holder.kill();
    await expect.poll(() => other.lock.tryHold(async () => 'taken'), SOON).toBe('taken');
  });

  it('that is frozen loses the lock once the server ends its connection, and cannot write afterwards', async () => {
    const holder = await startHolder(400);
    holder.freeze();
    const other = open();
    const write = () => other.lock.tryHold(() => save(other, '"of the other"').then(() => 'wrote'));
    await expect.poll(write, SOON).toBe('wrote');
    expect(await holder.thaw()).toMatch(/^refused: /);
    expect(await stateIn(other)).toBe('"of the other"');
  });

  it('that is frozen keeps the lock while its connection lasts, and no other node writes until it continues', async () => {
    const holder = await startHolder(60_000);
    holder.freeze();
    const other = open();
    const write = () => other.lock.tryHold(() => save(other, '"of the other"').then(() => 'wrote'));
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await write()).toBeUndefined();
      await setTimeout(50);
    }
    expect(await holder.thaw()).toBe('wrote');
    expect(await stateIn(other)).toBe('"of the frozen node"');
    await expect.poll(write, SOON).toBe('wrote');
  });
});

describe('another build, or other feeds', () => {
  it('starts from the known states, and does not change those of the old build', async () => {
    const [old, next] = [open(), open({ build: 'next', scope: 'next' })];
    const moved = { ...FEED, url: 'https://moved.example' };
    await old.lock.tryHold(() => save(old, '"rolled back"').then(() => true));
    expect(await stateIn(next)).toBe('"rolled back"');
    expect(await next.feeds.states([moved])).toEqual(['"rolled back"']);
    await next.lock.tryHold(() => save(next, '"of the next"').then(() => true));
    expect(await stateIn(old)).toBe('"rolled back"');
    expect(await stateIn(next)).toBe('"of the next"');
    await next.lock.tryHold(() => save(next, '"moved"', moved).then(() => true));
    expect(await next.feeds.states([FEED, moved])).toEqual(['"of the next"', '"moved"']);
  });

  it('keeps the versions that each of them uses', async () => {
    const [old, next] = [open(), open({ build: 'next', scope: 'next' })];
    const version = '1111111111111111';
    await old.lock.tryHold(async () => {
      await old.feeds.saveVersion(FEED.id, version, Buffer.from('x'));
      await old.feeds.saveState(FEED, '1', [version]);
      return true;
    });
    await next.lock.tryHold(async () => {
      await next.feeds.saveState(FEED, '2', []);
      await next.feeds.prune(FEED.id, []);
      return true;
    });
    expect(await next.feeds.version(FEED.id, version)).toBeDefined();
  });

  it('has its own snapshots; a command without scope sees the newest one for its baseline', async () => {
    const [old, next] = [open(), open({ build: 'next', scope: 'next' })];
    const record = (id: string, at: number) => ({ id: id.repeat(16), key: id, base: 'base', at });
    const publish = (repository: IntelRepository, id: string, at: number) =>
      repository.lock.tryHold(() =>
        repository.snapshots.publish(record(id, at), Buffer.from(id)).then(() => true),
      );
    const now = Date.now();
    await publish(old, 'a', now - 1);
    await publish(next, 'b', now);
    expect(await old.snapshots.current()).toEqual(record('a', now - 1));
    expect(await old.snapshots.newest('base')).toEqual(record('a', now - 1));
    const command = open({ scope: 'of a shell without the settings' });
    expect(await command.snapshots.current()).toBeUndefined();
    expect(await command.snapshots.newest('base')).toEqual(record('b', now));
    expect(`${await command.snapshots.read('b'.repeat(16))}`).toBe('b');
  });

  it('is forgotten a week after its last use, if a newer build has its own states', async () => {
    const [old, next] = [open(), open({ build: 'next', scope: 'next' })];
    const other = { ...FEED, id: 'only-of-the-old' };
    const record = { id: 'a'.repeat(16), key: 'k', base: 'b', at: 0 };
    await old.lock.tryHold(async () => {
      await save(old, '"old"');
      await save(old, '"needed"', other);
      await old.snapshots.publish(record, Buffer.from('a'));
      return true;
    });
    await sql(`UPDATE feed_states SET changed_at = now() - interval '8 days'`);
    await next.lock.tryHold(async () => {
      await save(next, '"next"');
      await next.snapshots.publish({ ...record, at: Date.now() }, Buffer.from('b'));
      return true;
    });
    expect(await sql('SELECT build, feed FROM feed_states ORDER BY build, feed')).toEqual([
      { build: 'build', feed: 'only-of-the-old' },
      { build: 'next', feed: 'a-feed' },
    ]);
    expect(await old.snapshots.current()).toBeUndefined();
    expect(await next.feeds.states([other])).toEqual(['"needed"']);
  });
});

describe('other nodes', () => {
  it('notice a round soon after its end, and reach the database again after a lost connection', async () => {
    const [writer, reader] = [open(), open()];
    let changes = 0;
    reader.onChange(() => {
      changes += 1;
    });
    await stateIn(reader);
    const before = changes;
    await writer.lock.tryHold(() => save(writer, '1').then(() => true));
    await expect.poll(() => changes, SOON).toBe(before + 1);
    await sql(`SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    await expect.poll(() => stateIn(reader).catch(() => undefined), SOON).toBe('1');
  });
});
