import { setFlagsFromString } from 'node:v8';
import { defineConfig, type UserWorkspaceConfig } from 'vitest/config';
import { builtCode } from './test/support/built-code.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { filesWithoutTheirPrograms, isMissing } from './test/support/missing-programs.ts';

/** Beside what they test like all others, but with a server, a built file, a process or a second of time. */
const INTEGRATION = '{src,dashboard/src,client/src}/**/*.integration.test.ts';
const UNIT = [
  'src/**/*.test.ts',
  'dashboard/src/**/*.test.ts',
  'client/src/**/*.test.ts',
  'test/{*layers,documents,script-imports}.test.ts',
];
/** Skipped here. */
const WITHOUT_PROGRAMS = filesWithoutTheirPrograms();
const SERVERS = ['test/support/build.ts', 'test/support/redis-server.ts', 'test/support/shared-servers.ts'];

/**
 * V8 for processes that run much code a few times: it collects garbage less often (sizes in MB), and optimizes only what
 * runs long (the budget is in bytes of bytecode, some 30 times the default; newer Node.js has no such option, but a
 * cheaper compiler).
 */
const SHORT_LIVED = [
  '--min-semi-space-size=16',
  '--initial-old-space-size=300',
  ...(process.version.startsWith('v20.') ? ['--interrupt-budget=4000000'] : []),
];
// Threads take these from their process, when they start.
for (const flag of SHORT_LIVED) setFlagsFromString(flag);

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: {
    // What a file compiles to is kept between runs: a file alone takes less than a second.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest' },
    // They end what hangs; nothing is so slow, on a busy machine either.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 90_000 } },
    // The machine of a contributor may have two cores; half of the time suites wait, for deadlines, servers and browsers.
    maxWorkers: 4,
    // Concurrent tests wait for deadlines: all of a file side by side take as long as one.
    maxConcurrency: 10,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          // Without any set-up: no server, no build, no waiting. What needs one is named *.integration.test.ts.
          name: 'unit',
          isolate: false,
          pool: 'threads',
          // None waits: a thread more than cores would only load everything once more.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          include: UNIT,
          exclude: [INTEGRATION],
        },
      },
      onBuiltCode({
        name: 'integration',
        globalSetup: [
          'test/support/build.ts',
          'test/support/redis-server.ts',
          'test/support/pgbouncer.ts',
          'test/support/shared-servers.ts',
        ],
        include: [INTEGRATION, 'test/**/*.test.ts'],
        exclude: [
          'test/e2e/**',
          'test/packages/**',
          'test/{*layers,documents,script-imports}.test.ts',
          ...WITHOUT_PROGRAMS,
        ],
      }),
      ...(isMissing('redis') ? [] : [servers()]),
      ...(isMissing('chromium') ? [] : [browser()]),
      {
        extends: true,
        // The capacity model, which no change of the service touches: `npm run check` runs it.
        test: { name: 'scale', include: ['capacity/**/*.test.ts'] },
      },
    ],
  },
});

/**
 * What touches store or counters once more, on PostgreSQL and Valkey or Redis, and read by Node's parser alone. Only what
 * neither their own suites nor `test/cluster` cover there.
 */
function servers() {
  return onBuiltCode({
    name: 'servers',
    // Elsewhere the strict reader has each connection first.
    env: { GATEHOUSE_TEST_ON: 'servers', GATEHOUSE_TEST_PARSER: 'node' },
    globalSetup: SERVERS,
    include: [
      'test/http/{assess,erased-domain,feedback,get-assessment,idempotency,usage,velocity}.test.ts',
      'test/cli/{account-delete,privacy,secret,spellings}.test.ts',
      'test/restart.test.ts',
    ],
  });
}

function browser() {
  return onBuiltCode({
    name: 'browser',
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['test/support/build.ts', 'test/support/chromium.ts', 'test/support/demo-folder.ts'],
  });
}

/** Files leave nothing behind in their worker, and short ones would load longer than they run: so none is isolated. */
function onBuiltCode(test: UserWorkspaceConfig['test']): UserWorkspaceConfig {
  return {
    extends: true,
    plugins: [builtCode()],
    test: { isolate: false, execArgv: SHORT_LIVED, server: { deps: { external: [/\/dist\//] } }, ...test },
  };
}
