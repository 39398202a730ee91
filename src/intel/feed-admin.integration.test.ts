import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BASELINE_FILE } from './bundled-snapshot.ts';
import { createFeedAdmin } from './feed-admin.ts';
import { createFeedManager } from './feed-manager.ts';
import { createFileRepository } from './repository-files.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-admin-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

function openAdmin(waitMs: number) {
  const manager = createFeedManager({
    repository: createFileRepository(dataDir),
    baselineFile: BASELINE_FILE,
    feeds: [],
    clock: Date.now,
    random: Math.random,
    onDamage: () => {},
  });
  let waits = 0;
  const onWait = () => {
    waits += 1;
  };
  const admin = createFeedAdmin({ manager, feeds: [], onReport: () => {}, onWait, waitMs });
  return { admin, manager, waits: () => waits };
}

it('an update waits for the one in progress, says so once, then does its work', async () => {
  const [busy, waiting] = [openAdmin(0), openAdmin(60_000)];
  let begun = () => {};
  let end = () => {};
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const mayEnd = new Promise<string>((resolve) => (end = () => resolve('done')));
  const round = busy.manager.tryRound(() => {
    begun();
    return mayEnd;
  });
  await hasBegun;
  const outcome = waiting.admin.refresh([]);
  await expect.poll(waiting.waits).toBe(1);
  end();
  expect(await round).toBe('done');
  expect(await outcome).toEqual({ reports: [], publication: undefined });
  expect(waiting.waits()).toBe(1);
});

it('an update gives up on one that does not end, with one line that says what to do', async () => {
  const [busy, hasty] = [openAdmin(0), openAdmin(50)];
  await busy.manager.tryRound(async () => {
    await expect(hasty.admin.rollBack('a-feed')).rejects.toThrow(
      'another node or command is still updating the feeds; try again in a minute',
    );
    return true;
  });
});
