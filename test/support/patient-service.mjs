/** Runs the built service as a process with long deadlines: no write or count times out because the machine is busy. With the argument `store`, only those of the store are long. */
import { beginService } from '../../dist/cli/start.js';
import { readConfig } from '../../dist/config/config.js';
import { createLogger } from '../../dist/platform/logger.js';
import { wireService } from '../../dist/wiring/app.js';

const LONG_MS = 60_000;
const storage = {
  deadlines: { waitMs: LONG_MS, answerMs: LONG_MS, lockMs: LONG_MS },
  indexing: { patienceMs: LONG_MS },
};
const counting = { deadlineMs: LONG_MS, patienceMs: LONG_MS };

const deadlines = process.argv.includes('store') ? undefined : counting;

const config = readConfig();
const log = createLogger(config);
const service = await wireService(config, log, { forTests: { storage, deadlines } });
process.once('SIGTERM', () => service.close());
await beginService(service, config, log, { terminal: false, json: false, log });
