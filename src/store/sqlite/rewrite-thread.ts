/** The thread that writes a database file again: what rows left in its pages when they moved is gone then. */
import { workerData } from 'node:worker_threads';
import { openConnection } from '../sqlite-connection.ts';

const connection = openConnection((workerData as { file: string }).file);
connection.exec('VACUUM');
connection.close();
