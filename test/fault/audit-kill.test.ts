/** `kill -9` during changes: no change is left without its audit entry or without its undo, and neither without its change. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { rounds } from '../support/long-version.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation } from '../support/service.ts';
import { newMigratedDatabase } from '../support/shared-servers.ts';
import { withStored } from '../support/stored.ts';

const SCRIPT = join(import.meta.dirname, '../support/change-until-killed.mjs');
const KILLS = rounds(1, 5);
/** Enough that changes are in progress at any later moment. */
const CHANGES = 20;

describe.each(['SQLite', 'PostgreSQL'])(
  'a process that changes keys or lists in %s and is killed',
  (name) => {
    it('leaves as many audit entries as changes, of the same keys', { timeout: 120_000 }, async () => {
      const installation = await openInstallation(name);
      onTestFinished(() => installation.remove());
      const { id: accountId } = await plant(installation);
      const { DATABASE_URL, GATEHOUSE_DATA_DIR } = installation.environment;
      const place = DATABASE_URL ?? (GATEHOUSE_DATA_DIR as string);
      for (let kill = 1; kill <= KILLS; kill += 1) await changeAndKill(place, accountId, 'keys', kill);
      const [keys, targets] = await withStored(installation, async (store) => [
        (await store.changesSince(0)).keys.filter(
          (key) => key.accountId === accountId && key.prefix === 'gh',
        ),
        await targetsOf(store, accountId),
      ]);
      expect(keys.length).toBeGreaterThan(KILLS * CHANGES);
      expect(targets.toSorted()).toEqual(keys.map(({ id }) => id).toSorted());
    });

    it('leaves no entry of a list that cannot be taken back', { timeout: 120_000 }, async () => {
      const installation = await openInstallation(name);
      onTestFinished(() => installation.remove());
      const { id: accountId } = await plant(installation);
      const { DATABASE_URL, GATEHOUSE_DATA_DIR } = installation.environment;
      const place = DATABASE_URL ?? (GATEHOUSE_DATA_DIR as string);
      for (let kill = 1; kill <= KILLS; kill += 1) await changeAndKill(place, accountId, 'lists', kill);
      const [entries, undoable] = await withStored(installation, async (store) => [
        (await store.listEntries(accountId)).map(({ id }) => id),
        (await store.attackActions(accountId)).flatMap(({ undo }) => undo?.entries.map(({ id }) => id) ?? []),
      ]);
      expect(entries.length).toBeGreaterThan(KILLS * CHANGES);
      expect(undoable.toSorted()).toEqual(entries.toSorted());
    });
  },
);

async function openInstallation(name: string): Promise<Installation> {
  if (name === 'SQLite') return createInstallation();
  return createInstallation({ DATABASE_URL: await newMigratedDatabase() });
}

async function changeAndKill(
  place: string,
  accountId: string,
  what: 'keys' | 'lists',
  kill: number,
): Promise<void> {
  const child = spawn(process.execPath, [SCRIPT, place, accountId, what], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let changes = 0;
  child.stdout.on('data', (dots: Buffer) => {
    changes += dots.length;
    if (changes > CHANGES) setTimeout(() => child.kill('SIGKILL'), 3 * kill);
  });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
}

async function targetsOf(store: Store, accountId: string): Promise<string[]> {
  const targets: string[] = [];
  for (let after: number | null = null; ; ) {
    const { entries, next } = await store.auditEntries(accountId, after, 1_000);
    targets.push(...entries.filter(({ by }) => by === 'command line (test)').map(({ target }) => target));
    if (next === null) return targets;
    after = next;
  }
}
