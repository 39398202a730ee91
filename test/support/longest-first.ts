/** The order in which test files start: the longest first, so that no long file runs alone at the end. */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests on shared servers first, while the demo is filled for the browser; the many short files last. */
const PROJECTS = ['slow-servers', 'slow-browser', 'browser', 'slow', 'integration'];
/** Test files of ten seconds or more, mostly waiting: neither their size nor a clean clone shows this. */
const LONGEST = [
  'test/fault/start-faults.test.ts',
  'test/cli/start.test.ts',
  'test/http/hooks.test.ts',
  'test/shared-feeds.slow.test.ts',
  'test/feeds.test.ts',
  'test/cli/intel.test.ts',
  'test/cli/migrate-faults.slow.test.ts',
  'test/client/failures.test.ts',
  'test/kill.test.ts',
  'test/fault/store-faults.test.ts',
  'test/pooler.slow.test.ts',
  'test/reload.slow.test.ts',
  'test/velocity-memory.slow.test.ts',
  'test/restart.test.ts',
  'test/http/limits.test.ts',
  'src/velocity/redis.slow.test.ts',
  'src/store/postgres/check-server.integration.test.ts',
  'src/store/postgres/cluster.integration.test.ts',
  'src/store/postgres/postgres.integration.test.ts',
  'src/store/sqlite/sqlite.integration.test.ts',
  'test/e2e/pages-layout.slow.test.ts',
  'test/e2e/first-run.test.ts',
  'test/e2e/thresholds.slow.test.ts',
];

export class LongestFirst extends BaseSequencer {
  /** Within a project: the files named here, then Vitest's order: failed, long (if known), large. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const rank = ({ project, moduleId }: TestSpecification) =>
      2 * PROJECTS.indexOf(project.name) + (LONGEST.includes(relative(root, moduleId)) ? 0 : 1);
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => group(a) - group(b) || rank(a) - rank(b));
  }
}
