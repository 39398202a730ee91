/** Decides how log lines look: JSON for programs, a line for people where the output is a terminal. */
import pino, { type Logger } from 'pino';
import { formatLogLine } from './app-log-line.ts';
import { serializeError } from './app-serialize-error.ts';
import type { Config } from './config.ts';

type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'write'> & Partial<Pick<NodeJS.WriteStream, 'hasColors'>>;

export function createLogger(
  { logLevel }: Pick<Config, 'logLevel'>,
  output: Output = process.stdout,
): Logger {
  const serializers = { err: serializeError };
  const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers };
  if (output.isTTY !== true) return output === process.stdout ? pino(options) : pino(options, output);
  // Respects NO_COLOR and the terminal's abilities.
  const colors = output.hasColors?.() === true;
  return pino(options, {
    write(line) {
      output.write(formatLogLine(line, colors));
    },
  });
}

/** The same log, for lines that must appear at every level. */
export function atEveryLevel(log: Logger): Logger {
  return log.child({}, { level: 'info' });
}
