import { setFlagsFromString } from 'node:v8';
import { defineConfig, type UserWorkspaceConfig } from 'vitest/config';
import { builtCode } from './test/support/built-code.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { filesWithoutTheirPrograms, isMissing } from './test/support/missing-programs.ts';

/** Beside what they test like all others, but with a built file, a process or a second of time. */
const INTEGRATION = '{src,dashboard/src,client/src}/**/*.integration.test.ts';
const BROWSER = 'test/e2e/**/*.test.ts';
const UNIT = [
  'src/**/*.test.ts',
  'dashboard/src/**/*.test.ts',
  'client/src/**/*.test.ts',
  'test/{*layers,documents,contributing,script-imports}.test.ts',
];
/**
 * Files that `npm test` leaves to `npm run test:all`: tests whose name says slow, the adapters of other databases than the embedded
 * ones, nodes that work together, faults and upgrades. `test/test-parts.test.ts` checks that nothing else needs a server.
 */
const SLOW = [
  '**/*.slow.test.ts',
  'src/**/{postgres,redis}/**/*.integration.test.ts',
  'test/{cluster,fault,upgrade}/**/*.test.ts',
];
/** Files that `vitest.examples.config.ts` runs. */
const INSTALLED = ['test/packages/**', 'test/clients/**'];
/** Skipped here. */
const WITHOUT_PROGRAMS = filesWithoutTheirPrograms();
const BUILD = 'test/support/build.ts';
const SERVERS = [BUILD, 'test/support/redis-server.ts', 'test/support/shared-servers.ts'];
const CHROMIUM = [BUILD, 'test/support/chromium.ts', 'test/support/demo-folder.ts'];

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
    // The compiled form of a file is kept between runs: a file alone takes less than a second.
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
    // `npm test` runs those that are not named slow, `npm run test:all` all of them.
    projects: [
      {
        extends: true,
        test: {
          // Without any set-up: no server, no build, no waiting. A test that needs one is named *.integration.test.ts.
          name: 'unit',
          isolate: false,
          pool: 'threads',
          // None waits: a thread more than cores would only load everything once more.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          include: UNIT,
          exclude: [INTEGRATION, ...SLOW],
        },
      },
      onBuiltCode({
        name: 'integration',
        globalSetup: [BUILD],
        include: [INTEGRATION, 'test/**/*.test.ts'],
        exclude: [
          ...UNIT.filter((path) => path.startsWith('test/')),
          BROWSER,
          ...INSTALLED,
          ...SLOW,
          ...WITHOUT_PROGRAMS,
        ],
      }),
      onBuiltCode({
        name: 'slow',
        globalSetup: [...SERVERS, 'test/support/pgbouncer.ts'],
        include: SLOW,
        exclude: [BROWSER, ...WITHOUT_PROGRAMS],
      }),
      ...(isMissing('redis') ? [] : [servers()]),
      ...(isMissing('chromium') ? [] : [browser(), slowBrowser()]),
      {
        extends: true,
        // The capacity model, which no change of the service touches.
        test: { name: 'slow-capacity', include: ['capacity/**/*.test.ts'] },
      },
    ],
  },
});

/**
 * Tests that touch store or counters, once more, on PostgreSQL and Valkey or Redis, and read by Node's parser alone. Only what
 * neither their own suites nor `test/cluster` cover there.
 */
function servers() {
  return onBuiltCode({
    name: 'slow-servers',
    // Elsewhere the strict reader has each connection first.
    env: { GATEHOUSE_TEST_ON: 'servers', GATEHOUSE_TEST_PARSER: 'node' },
    globalSetup: SERVERS,
    include: [
      'test/http/{assess,erased-domain,feedback,get-assessment,idempotency,outcomes,usage,velocity}.test.ts',
      'test/cli/{account-delete,privacy,privacy-mailbox,secret,spellings}.test.ts',
      'test/dashboard/{find,signup-counts}.test.ts',
      'test/{mailbox-months,restart}.test.ts',
    ],
  });
}

function browser() {
  return onBuiltCode({ name: 'browser', include: [BROWSER], exclude: SLOW, globalSetup: CHROMIUM });
}

function slowBrowser() {
  const include = ['test/e2e/**/*.slow.test.ts'];
  return onBuiltCode({ name: 'slow-browser', include, globalSetup: CHROMIUM });
}

/** Files leave nothing behind in their worker, and short ones would load longer than they run: so none is isolated. */
function onBuiltCode(test: UserWorkspaceConfig['test']): UserWorkspaceConfig {
  return {
    extends: true,
    plugins: [builtCode()],
    test: { isolate: false, execArgv: SHORT_LIVED, server: { deps: { external: [/\/dist\//] } }, ...test },
  };
}
