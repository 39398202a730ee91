/** The thread that keeps the feeds of a service up to date, in the place that its settings name. */
import { workerData } from 'node:worker_threads';
import { runThread } from '../intel/live-thread.ts';
import { keepBeating } from '../platform/thread-beat.ts';
import { openInstallationIntel, originOf } from './intel-place.ts';

keepBeating(workerData);
const data = workerData as Parameters<typeof runThread>[0];

await runThread(data, await openInstallationIntel(data), originOf(data));
