import { createHash, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newDatabase } from '../../../../test/support/shared-servers.ts';

import { migrate } from '../migrate.ts';
import { openSharedFolders, type SharedFolders } from './shared-folders.ts';

const FOLDER = 'fea69e9228f3d864';
const GONE = 'gone';
const PATIENCE_MS = 40_000;

let url: string;
let opened: SharedFolders[];
beforeEach(async () => {
  url = await newDatabase();
  await migrate(url);
  opened = [];
});
afterEach(() => Promise.all(opened.map((folders) => folders.close())));

function open(): SharedFolders {
  const folders = openSharedFolders({ url });
  opened.push(folders);
  return folders;
}

async function leadOf(folders: SharedFolders, folder = FOLDER) {
  const lead = await folders.lead(folder, GONE);
  if (lead === undefined) throw new Error('somebody else leads');
  return lead;
}

function fileOf(name: string, bytes: Buffer) {
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { name, hash, size: bytes.byteLength, read: async () => bytes };
}

/** Ends a node's connection as the server does when the node has died. */
async function cutOff(leader = false): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND (NOT $1 OR pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory'))`,
    [leader],
  );
  await client.end();
}

describe('the lead', () => {
  it('is one node’s at a time, and each folder has its own', async () => {
    const [a, b, c] = [open(), open(), open()];
    const leads = await Promise.all([a, b, c].map((folders) => folders.lead(FOLDER, GONE)));
    const held = leads.filter((lead) => lead !== undefined);
    expect(held).toHaveLength(1);
    expect(await open().lead('another baseline', GONE)).toBeDefined();
    await held[0]?.release();
    expect(held[0]?.isHeld()).toBe(false);
    expect(await open().lead(FOLDER, GONE)).toBeDefined();
  });

  it('ends with the connection; what the one before still wants to write is refused', async () => {
    const [a, b] = [open(), open()];
    const lost = await leadOf(a);
    await cutOff(true);
    await expect.poll(() => lost.isHeld()).toBe(false);
    await leadOf(b);
    await expect(lost.write([fileOf('x', Buffer.from('x'))], [], 1)).rejects.toThrow('leads no more');
    await expect(lost.nextTask()).rejects.toThrow('leads no more');
    expect(await a.list(FOLDER)).toEqual({ revision: 0, files: [] });
  });

  it(
    'ends when nothing is heard of the leader, unless that was to be expected',
    async () => {
      const [busy, patient] = [await leadOf(open()), await leadOf(open(), 'another baseline')];
      await patient.patiently(async () => hold(14_000));
      await expect.poll(() => busy.isHeld()).toBe(false);
      expect(await open().lead(FOLDER, GONE)).toBeDefined();
      expect(await patient.nextTask()).toBeUndefined();
      expect(await open().lead('another baseline', GONE)).toBeUndefined();
    },
    PATIENCE_MS,
  );
});

describe('a folder', () => {
  it('is read as it was written, also what is larger than one part', async () => {
    const [writer, reader] = [open(), open()];
    const lead = await leadOf(writer);
    const files = [0, 1, 1024 * 1024, 3_500_000].map((size) => fileOf(`of-${size}`, randomBytes(size)));
    expect(await lead.write(files, [], 1)).toBe(1);
    expect(await reader.revision(FOLDER)).toBe(1);
    const listing = await reader.list(FOLDER);
    expect(listing.files.map(({ name }) => name).sort()).toEqual(files.map(({ name }) => name).sort());
    for (const file of files) {
      const bytes = await reader.read(FOLDER, file);
      expect(bytes?.equals(await file.read())).toBe(true);
    }
    expect(await reader.list('another baseline')).toEqual({ revision: 0, files: [] });
  });

  it('changes at once: what is replaced cannot be read any more, and a failed change changes nothing', async () => {
    const [writer, reader] = [open(), open()];
    const lead = await leadOf(writer);
    const [old, next] = [fileOf('one', randomBytes(2_000_000)), fileOf('one', randomBytes(1_500_000))];
    await lead.write([old, fileOf('other', Buffer.from('other'))], [], 1);
    const broken = {
      ...fileOf('third', Buffer.from('third')),
      read: () => Promise.reject(new Error('unreadable')),
    };
    await expect(lead.write([next, broken], ['other'], 2)).rejects.toThrow('unreadable');
    expect((await reader.list(FOLDER)).revision).toBe(1);
    expect(await reader.read(FOLDER, old)).toBeDefined();
    expect(await lead.write([next], ['other'], 3)).toBe(2);
    expect(await reader.read(FOLDER, old)).toBeUndefined();
    expect((await reader.list(FOLDER)).files).toEqual([{ name: 'one', hash: next.hash, size: next.size }]);
  });

  it('is announced, and forgotten when it is old and not the leader’s own', async () => {
    const [writer, reader] = [open(), open()];
    let hints = 0;
    reader.onHint(() => {
      hints += 1;
    });
    await reader.revision(FOLDER);
    const before = hints;
    const other = await leadOf(open(), 'another baseline');
    await other.write([fileOf('x', Buffer.from('x'))], [], 5);
    await expect.poll(() => hints).toBe(before + 1);
    const lead = await leadOf(writer);
    await lead.write([fileOf('y', Buffer.from('y'))], [], 1);
    expect(await reader.newestBeside(FOLDER)).toBe('another baseline');
    await lead.forgetBefore(6);
    expect(await reader.newestBeside(FOLDER)).toBeUndefined();
    expect((await reader.list(FOLDER)).files).toHaveLength(1);
    expect((await reader.list('another baseline')).files).toHaveLength(0);
  });

  it('is reached again after the connection broke', async () => {
    const folders = open();
    await folders.revision(FOLDER);
    await cutOff();
    await setTimeout(50);
    expect(await folders.revision(FOLDER)).toBe(0);
  });
});

describe('a task', () => {
  it('comes with its files to the leader, once, and its answer back', async () => {
    const [asker, leader] = [open(), open()];
    const lead = await leadOf(leader);
    const id = await asker.ask(FOLDER, 'do it', new Map([['a.feed', Buffer.from('bytes')]]), 1);
    expect(await asker.progress(id)).toEqual({ taken: false, answer: null });
    const task = await lead.nextTask();
    expect(task).toMatchObject({ id, text: 'do it' });
    expect(await lead.nextTask()).toBeUndefined();
    expect(await asker.withdraw(id)).toBe(false);
    const folder = task?.folder as string;
    const [file] = (await leader.list(folder)).files;
    expect(`${await leader.read(folder, file as NonNullable<typeof file>)}`).toBe('bytes');
    await lead.answer(id, 'done');
    expect(await asker.progress(id)).toEqual({ taken: true, answer: 'done' });
    expect((await leader.list(folder)).files).toEqual([]);
  });

  it('can be taken back, and is answered by the next leader when its own has ended', async () => {
    const [asker, first, second] = [open(), open(), open()];
    const lead = await leadOf(first);
    const taken = await asker.ask(FOLDER, 'one', new Map(), 1);
    expect((await lead.nextTask())?.id).toBe(taken);
    const waiting = await asker.ask(FOLDER, 'two', new Map(), 2);
    await lead.release();
    const next = await leadOf(second);
    expect(await asker.progress(taken)).toEqual({ taken: true, answer: GONE });
    expect(await asker.withdraw(waiting)).toBe(true);
    expect(await next.nextTask()).toBeUndefined();
  });
});

/** Keeps this thread from everything, as a long compilation does. */
function hold(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
