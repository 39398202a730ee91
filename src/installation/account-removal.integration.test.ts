/** The removal of a deleted account on the embedded store: its id is in no file when it is finished, even if the process is killed then. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { anAccount } from '../../test/support/an-account.ts';
import { BUILT_THREADS } from '../../test/support/built-threads.ts';
import { openSqliteStore } from '../store/sqlite/sqlite.ts';
import type { Store } from '../store/store.ts';
import { createAccountRemoval } from './account-removal.ts';

const ID = 'acc_01jz0000000000000000000009';
let directory: string;
let store: Store | undefined;
afterEach(async () => {
  await store?.close();
  rmSync(directory, { recursive: true });
});

const filesWithId = () =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && readFileSync(join(file.parentPath, file.name)).includes(ID))
    .map(({ name }) => name);

it('leaves the id of the account in no file', async () => {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-removal-'));
  const opened = openSqliteStore({ directory, inline: true, forTests: BUILT_THREADS });
  store = opened;
  await opened.saveAccount(anAccount({ id: ID, name: 'Narwhal', plan: 'starter' }));
  await opened.beginAccountDeletion(ID, 1);
  await opened.overwriteFreed();
  expect(filesWithId()).toEqual(['gatehouse.db']);

  const { prune } = createAccountRemoval({
    store: opened,
    graceMs: 0,
    clock: () => performance.now(),
    onLast: () => {},
    async overwriteFreed() {
      await opened.overwriteFreed();
      return true;
    },
  });
  while ((await opened.unfinishedDeletions()).length > 0) await prune(100);
  expect(filesWithId()).toEqual([]);
});
