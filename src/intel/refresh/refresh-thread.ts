/** The thread that keeps the feeds of one node for itself. */
import { runThread } from './run-thread.ts';

await runThread();
