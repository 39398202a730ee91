import { defineConfig } from 'vitest/config';
import { hasOldest } from './test/support/postgres-server.ts';

/** Counts seconds from the outside: what runs beside it would be counted too. */
const TIMED = 'test/fault/kill.test.ts';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: {
    globalSetup: ['test/support/build.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // The machine of a contributor may have two cores; a third of the time suites wait, for deadlines and for servers.
    maxWorkers: 3,
    // Concurrent tests wait for deadlines: all of a file side by side take as long as one.
    maxConcurrency: 10,
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          // Files leave nothing behind in their worker, and short ones would load longer than they run.
          isolate: false,
          globalSetup: [
            'test/support/redis-server.ts',
            'test/support/pgbouncer.ts',
            'test/support/shared-servers.ts',
          ],
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'dashboard/src/**/*.test.ts'],
          exclude: ['test/e2e/**', TIMED],
        },
      },
      {
        extends: true,
        test: {
          // The contract once more, on PostgreSQL and Valkey or Redis.
          name: 'servers',
          isolate: false,
          env: { GATEHOUSE_TEST_ON: 'servers' },
          globalSetup: ['test/support/redis-server.ts', 'test/support/shared-servers.ts'],
          include: ['test/http/**/*.test.ts', 'test/restart.test.ts'],
        },
      },
      ...oldest(),
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/chromium.ts', 'test/support/demo-folder.ts'],
          testTimeout: 60_000,
          // After the others: a browser beside them would be late for its own deadlines.
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        // The capacity model, which no change of the service touches: `npm run check` runs it.
        test: { name: 'scale', include: ['capacity/**/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'timed', include: [TIMED], sequence: { groupOrder: 2 }, maxWorkers: 1 },
      },
    ],
  },
});

/** What runs statements on PostgreSQL once more, on the oldest release that the documents name. */
function oldest() {
  const env = { GATEHOUSE_TEST_POSTGRES: 'oldest' };
  if (!hasOldest()) {
    process.stderr.write('not tested on PostgreSQL 14: npm has no binaries of it for this platform\n');
    return [];
  }
  return [
    {
      extends: true as const,
      test: {
        name: 'oldest',
        isolate: false,
        env,
        globalSetup: ['test/support/redis-server.ts', 'test/support/shared-servers.ts'],
        include: [
          'src/store/postgres/{postgres,cluster,migrate}.test.ts',
          'src/store/postgres/history.test.ts',
          'test/cluster/**/*.test.ts',
        ],
      },
    },
  ];
}
