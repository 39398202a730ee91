/** Shows how far a long move has come: one line that changes for people, a line now and then for a log. */
import type { MoveProgress } from '../app-migrate.ts';

export interface MovingShown {
  tell(progress: MoveProgress): void;
  /** Ends the line that is being shown. */
  end(): void;
}

type Screen = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

const TERMINAL_MS = 200;
const LOG_MS = 5_000;
const ERASE = '\r\u001b[K';

export function showMoving(screen: Screen, now: () => number = () => performance.now()): MovingShown {
  const everyMs = screen.isTTY === true ? TERMINAL_MS : LOG_MS;
  /** Where the stage of a table began to be seen. */
  let since = { what: '', at: 0, done: 0 };
  let shownAt = now();
  let open = false;
  return {
    tell(progress) {
      const { stage, table, done } = progress;
      const at = now();
      if (since.what !== `${stage} ${table}`) since = { what: `${stage} ${table}`, at, done };
      if (at - shownAt < everyMs) return;
      shownAt = at;
      const line = describe(progress, at - since.at, done - since.done);
      if (screen.isTTY !== true) screen.write(`${line}\n`);
      else screen.write(`${ERASE}${line}`);
      open = screen.isTTY === true;
    },
    end() {
      if (open) screen.write(ERASE);
      open = false;
    },
  };
}

const STAGES: Readonly<Record<MoveProgress['stage'], string>> = {
  copied: 'copied',
  read: 'read here to compare',
  compared: 'compared',
};

function describe({ stage, table, done, total }: MoveProgress, milliseconds: number, rows: number): string {
  const share = total === 0 ? 100 : Math.floor((100 * done) / total);
  const rate = milliseconds > 0 ? (1_000 * rows) / milliseconds : 0;
  const left = rate > 0 ? `, ${duration((total - done) / rate)} left` : '';
  return `${table}: ${count(done)} of ${count(total)} rows ${STAGES[stage]} (${share} %), ${count(rate)}/s${left}`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}
