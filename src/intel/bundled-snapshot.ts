/** Tells where the bundled snapshot lies at run time. Apart from what compiles it, which a running service need not load. */

/** The compiled baseline that a service starts from. */
export const BASELINE_FILE: URL = new URL('../../dist/intel/baseline.snapshot', import.meta.url);
