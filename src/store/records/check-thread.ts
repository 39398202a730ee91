/** The thread that reads a large database file once and reports whether it is damaged. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from '../sqlite-connection.ts';
import { type CheckData, findDamage } from './damage.ts';

/** Priority of what little is left of a busy processor. */
const LOWEST_PRIORITY = 19;

// Elsewhere it would be the priority of the whole process.
if (process.platform === 'linux') setPriority(LOWEST_PRIORITY);
const { file, stopping } = workerData as CheckData;
const connection = openConnection(file);
const damage = findDamage(connection, 'quick_check', () => Atomics.load(stopping, 0) !== 0);
if (damage !== undefined) parentPort?.postMessage(damage);
connection.close();
