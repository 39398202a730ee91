/** Shows how far a long command is: one changing line on a terminal, a line every few seconds in a log. */
import { printableLine } from '../platform/printable.ts';

export type Screen = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

const TERMINAL_MS = 200;
const LOG_MS = 5_000;
const ERASE = '\r\u001b[K';

export function createProgressLine(screen: Screen, now: () => number = () => performance.now()) {
  const isTerminal = screen.isTTY === true;
  const everyMs = isTerminal ? TERMINAL_MS : LOG_MS;
  let shownAt = now();
  let isOpen = false;
  return {
    /** `describe` is called only when it is time for a line. */
    show(describe: () => string): void {
      const at = now();
      if (at - shownAt < everyMs) return;
      shownAt = at;
      isOpen = isTerminal;
      const line = printableLine(describe());
      screen.write(isTerminal ? `${ERASE}${line}` : `${line}\n`);
    },
    /** Erases the line on a terminal. */
    end(): void {
      if (isOpen) screen.write(ERASE);
      isOpen = false;
    },
  };
}
