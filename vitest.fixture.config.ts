/** Makes the fixture of a release, for `node scripts/release.mjs fixture`: on PostgreSQL 14, so that every later one can read its dump. */
import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: {
    include: ['test/support/make-release-fixture.ts'],
    env: { GATEHOUSE_TEST_POSTGRES: 'oldest' },
    globalSetup: ['test/support/build.ts', 'test/support/shared-servers.ts'],
  },
});
