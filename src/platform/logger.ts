/** Decides how log lines look: JSON for programs, a line for people where the output is a terminal; and which parts of an error they have. */
import { stripVTControlCharacters } from 'node:util';
import pino, { type Logger } from 'pino';
import { printable } from './printable.ts';

type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'write'> & Partial<Pick<NodeJS.WriteStream, 'hasColors'>>;

const COLORS: Readonly<Record<string, string>> = {
  trace: '90',
  debug: '90',
  info: '32',
  warn: '33',
  error: '31',
  fatal: '31',
};
const LEVEL_WIDTH = 5;
const DIM = '2';
const PLAIN = /^[^\s"=\p{C}]+$/u;

interface LogLine {
  /** A word: log collectors need no table of pino's numbers. */
  readonly level: string;
  /** RFC 3339. */
  readonly time: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly [name: string]: unknown;
}

export function createLogger(
  { logLevel }: { readonly logLevel: string },
  output: Output = process.stdout,
): Logger {
  const serializers = { err: serializeError };
  const formatters = { level: (level: string) => ({ level }) };
  const timestamp = pino.stdTimeFunctions.isoTime;
  const options = { level: logLevel, base: null, timestamp, serializers, formatters };
  if (output.isTTY !== true) return output === process.stdout ? pino(options) : pino(options, output);
  // Respects NO_COLOR and the terminal's abilities.
  const colors = output.hasColors?.() === true;
  return pino(options, {
    write(line) {
      output.write(formatLogLine(line, colors));
    },
  });
}

/** The logger for lines that must appear at every level. */
export function atEveryLevel(log: Logger): Logger {
  return log.child({}, { level: 'info' });
}

/** The parts of an error that are logged: never what a library attaches to it, such as a command with its arguments. */
export function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.constructor.name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(cause instanceof Error ? { cause: cause.message } : {}),
    ...(error instanceof AggregateError ? { errors: error.errors.map(messageOf) } : {}),
    stack,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A JSON line as people read it: `12:03:04 info  message  key=value`. @param line as pino writes it */
export function formatLogLine(line: string, colors: boolean): string {
  const { level, time, msg = '', err, ...rest } = JSON.parse(line) as LogLine;
  const paint = (text: string, color: string) => (colors ? `\u001b[${color}m${text}\u001b[0m` : text);
  const pairs = Object.entries(err?.message === undefined ? rest : { ...rest, error: err.message });
  const members = pairs.map(([key, value]) => paint(`${key}=`, DIM) + toText(value));
  const head = [
    paint(clockTime(time), DIM),
    paint(level.padEnd(LEVEL_WIDTH), COLORS[level] ?? DIM),
    clean(msg),
  ].join(' ');
  return `${[head, ...members].join('  ')}\n${stackOf(err)
    .map((text) => `${paint(text, DIM)}\n`)
    .join('')}`;
}

/** Time of a line, in local time. */
function clockTime(time: string): string {
  const at = new Date(time);
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** Stack of an error without its first line, which is in the log line already. */
function stackOf(err: LogLine['err']): string[] {
  const frames = (err?.stack ?? '').split('\n').filter((text) => /^\s+at /.test(text));
  return frames.map((text) => clean(text));
}

/** Quoted if a reader could not see its end. */
function toText(value: unknown): string {
  if (typeof value !== 'string') return clean(JSON.stringify(value));
  return PLAIN.test(value) ? value : clean(JSON.stringify(value));
}

/** A log line may contain text from strangers, which must not control the terminal. */
function clean(text: string): string {
  return printable(stripVTControlCharacters(text).replace(/\p{Cc}/gu, ' '));
}
