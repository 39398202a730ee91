/** The tests of the examples and of our packages, and of the oldest PostgreSQL: apart from all others, because they install what users install. */
import { defineConfig } from 'vitest/config';
import { filesWithoutTheirPrograms } from './test/support/missing-programs.ts';
import { hasOldest } from './test/support/postgres-server.ts';

const SERVERS = ['test/support/build.ts', 'test/support/shared-servers.ts'];

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: {
    // They end what hangs: an application of a large framework is installed and built first.
    testTimeout: 60_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'examples',
          include: ['examples/test/**/*.test.ts', 'test/packages/*.test.ts'],
          globalSetup: [...SERVERS, 'test/support/chromium.ts', 'examples/test/installed-examples.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'clients',
          include: ['test/clients/*.test.ts'],
          globalSetup: ['test/support/build.ts', 'test/support/chromium.ts'],
        },
      },
      ...oldest(),
    ],
  },
});

/** What runs statements on PostgreSQL once more, on the oldest release that the documents name. */
function oldest() {
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
        maxConcurrency: 10,
        env: { GATEHOUSE_TEST_POSTGRES: 'oldest' },
        globalSetup: [...SERVERS, 'test/support/redis-server.ts'],
        exclude: filesWithoutTheirPrograms(),
        include: [
          'src/store/postgres/{postgres,cluster,idempotency,migrate,history,intel-repository}.integration.test.ts',
        ],
      },
    },
  ];
}
