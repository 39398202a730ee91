/** Changes the level of a running service's log, as `gatehouse log-level` says, and back to that of the settings. */
import type { Logger } from 'pino';
import { LOG_LEVELS } from '../config/settings.ts';
import { forgetLogLevel, readLogLevel } from '../installation/log-level-file.ts';

export interface LogLevelFollower {
  /** Reads the level at once. */
  read(): void;
  close(): void;
}

const POLL_MS = 1_000;

/** @param log its level is changed. @param everyLevel for the line about the change */
export function followLogLevel(
  { dataDir, logLevel }: { readonly dataDir: string; readonly logLevel: string },
  log: Pick<Logger, 'level'>,
  everyLevel: Pick<Logger, 'info'>,
): LogLevelFollower {
  // A level of the last run is over.
  forgetLogLevel(dataDir);

  function read(): void {
    const wanted = readLogLevel(dataDir) ?? logLevel;
    if (wanted === log.level || !LOG_LEVELS.some((level) => level === wanted)) return;
    log.level = wanted;
    everyLevel.info(
      { log_level: wanted },
      wanted === logLevel
        ? 'the log level is that of the settings again'
        : 'the log level was changed until the next start',
    );
  }

  const timer = setInterval(read, POLL_MS).unref();
  return { read, close: () => clearInterval(timer) };
}
