/** The tests of the embedded store, of its backups and its upgrades, which `test/packages/newest-sqlite.test.ts` runs once more under the newest Node.js, on its own SQLite. */
import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: {
    // Nothing is built: those who start it have done that.
    include: [
      'src/platform/{sqlite-driver,file-lock}.integration.test.ts',
      'src/store/{history-index,records,sqlite,writer}/*.integration.test.ts',
      'src/store/{history-index,records,sqlite}/*.slow.test.ts',
      'test/cli/backup.test.ts',
      'test/fault/backup-faults.test.ts',
      'test/upgrade/sqlite.test.ts',
    ],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
    isolate: false,
  },
});
