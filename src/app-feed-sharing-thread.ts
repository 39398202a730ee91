/** The thread that keeps the feeds of one node among several, which share them through PostgreSQL. */
import { workerData } from 'node:worker_threads';
import { runThread } from './intel/refresh/run-thread.ts';
import { openSharedFolders } from './store/postgres/shared/shared-folders.ts';

const { databaseUrl } = workerData as { readonly databaseUrl: string };

await runThread(openSharedFolders({ url: databaseUrl }));
