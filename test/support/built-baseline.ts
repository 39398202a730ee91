/** The snapshot of all bundled data, which the build compiles once: to compile it takes some seconds. */
import { resolve } from 'node:path';

export const BUILT_BASELINE = resolve(import.meta.dirname, '../../dist/intel/baseline.snapshot');
