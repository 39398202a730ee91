/** Shows the progress of a long migration: one changing line on a terminal, a line every few seconds in a log. */
import type { MigrationProgress } from '../app-migrate.ts';

type Screen = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

const TERMINAL_MS = 200;
const LOG_MS = 5_000;
const ERASE = '\r\u001b[K';

export function showMigrationProgress(screen: Screen, now: () => number = () => performance.now()) {
  const isTerminal = screen.isTTY === true;
  const everyMs = isTerminal ? TERMINAL_MS : LOG_MS;
  /** Where the work on a table began. */
  let begin = { work: '', at: 0, done: 0 };
  let shownAt = now();
  let isOpen = false;
  return {
    show(progress: MigrationProgress): void {
      const { stage, table, done } = progress;
      const at = now();
      if (begin.work !== `${stage} ${table}`) begin = { work: `${stage} ${table}`, at, done };
      if (at - shownAt < everyMs) return;
      shownAt = at;
      isOpen = isTerminal;
      const line = describe(progress, at - begin.at, done - begin.done);
      screen.write(isTerminal ? `${ERASE}${line}` : `${line}\n`);
    },
    /** Erases the line on a terminal. */
    end(): void {
      if (isOpen) screen.write(ERASE);
      isOpen = false;
    },
  };
}

function describe(
  { stage, table, done, total }: MigrationProgress,
  milliseconds: number,
  rows: number,
): string {
  const share = total === 0 ? 100 : Math.floor((100 * done) / total);
  const rate = milliseconds > 0 ? (1_000 * rows) / milliseconds : 0;
  const left = rate > 0 ? `, ${duration((total - done) / rate)} left` : '';
  return `${table}: ${count(done)} of ${count(total)} rows ${stage} (${share} %), ${count(rate)}/s${left}`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}
