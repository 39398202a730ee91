/** Begins the count of the stored attempts by threads, one of which reads the database of the installation. */
import { beginRecount, COUNTS, type VelocityRecount } from '../velocity/start/velocity-recount.ts';

const THREADS = { reads: new URL('./velocity-reader.js', import.meta.url), counts: COUNTS };

/** `undefined` where the start counts them itself. */
export function wireRecount(config: Parameters<typeof beginRecount>[0]): VelocityRecount | undefined {
  return beginRecount(config, { threads: THREADS });
}
