/** Runs the built service as a process with patient deadlines: no write is late because the machine is busy. */
import { wireService } from '../../dist/app.js';
import { createLogger } from '../../dist/app-logger.js';
import { beginService } from '../../dist/cli/start.js';
import { readConfig } from '../../dist/config.js';

const PATIENT = { waitMs: 60_000, answerMs: 60_000, lockMs: 60_000 };

const config = readConfig();
const log = createLogger(config);
const service = await wireService(config, log, { storage: { deadlines: PATIENT } });
process.once('SIGTERM', () => service.close());
await beginService(service, config, log, { terminal: false, json: false, log });
