/** The snapshot of all bundled data. The build compiles it once, because that takes some seconds. */
import { resolve } from 'node:path';

export const BUILT_BASELINE = resolve(import.meta.dirname, '../../dist/intel/baseline.snapshot');
