/** The tests of the examples and of our packages: apart from all others, because they install what users install. */
import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: {
    name: 'examples',
    include: ['examples/test/**/*.test.ts', 'test/packages/*.test.ts'],
    globalSetup: [
      'test/support/build.ts',
      'test/support/chromium.ts',
      'test/support/shared-servers.ts',
      'examples/test/installed-examples.ts',
    ],
    // They end what hangs: an application of a large framework is installed and built first.
    testTimeout: 60_000,
    hookTimeout: 600_000,
    maxWorkers: 2,
  },
});
