/** The thread that keeps the feeds of a service up to date, in the place that its settings name. */
import { workerData } from 'node:worker_threads';
import { BASELINE_FILE } from '../intel/bundled-snapshot.ts';
import { runThread } from '../intel/live-thread.ts';
import type { ThreadData } from '../intel/live-thread-messages.ts';
import { keepBeating } from '../platform/thread-beat.ts';
import { openInstallationIntel, originOf } from './intel-place.ts';

keepBeating(workerData);
const data = workerData as ThreadData;

await runThread(data, await openInstallationIntel(data), BASELINE_FILE, originOf(data));
