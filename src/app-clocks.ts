/** Decides which clock each part of the service uses. Times are milliseconds since the epoch. */
import { createSteadyClock } from './steady-clock.ts';

export interface Clocks {
  /** The clock of the machine. */
  readonly wall: () => number;
  /** Runs evenly, even if the wall clock jumps. */
  readonly steady: () => number;
  /** For times that outlive the process: follows a jump of the wall clock only after an hour, in case it jumps back. */
  readonly patient: () => number;
  /** Milliseconds since the process began. */
  readonly monotonic: () => number;
}

const HOUR_MS = 3_600_000;

export function createClocks(): Clocks {
  const wall = Date.now;
  const monotonic = () => performance.now();
  return {
    wall,
    monotonic,
    steady: createSteadyClock({ wall, monotonic }),
    patient: createSteadyClock({ wall, monotonic, patienceMs: HOUR_MS }),
  };
}
