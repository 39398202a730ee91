/** Ends a thread by force, but never within a call of libsql: that would abort the process. */
import { workerData } from 'node:worker_threads';

/** Whether a thread is within a call; shared by the thread and the one that started it. */
export type NativeCalls = Int32Array;

const OUTSIDE = 0;
const INSIDE = 1;
const ENDED = 2;

/** Pass it to the thread as `nativeCalls` of its `workerData`. */
export function createNativeCalls(): NativeCalls {
  return new Int32Array(new SharedArrayBuffer(4));
}

/** Ends the thread now, or when its call returns. */
export function endOutsideCalls(calls: NativeCalls, terminate: () => void): void {
  if (Atomics.exchange(calls, 0, ENDED) !== INSIDE) terminate();
}

/** Runs a call of libsql. */
export type RunCall = <T>(call: () => T) => T;

/** `undefined` in a thread that nobody ends by force. */
export function createRunCall(): RunCall | undefined {
  const calls = (workerData as { nativeCalls?: NativeCalls } | null)?.nativeCalls;
  if (calls === undefined) return undefined;
  const change = (from: number, to: number) => {
    if (Atomics.compareExchange(calls, 0, from, to) === ENDED) endThread(calls);
  };
  return (call) => {
    change(OUTSIDE, INSIDE);
    try {
      return call();
    } finally {
      change(INSIDE, OUTSIDE);
    }
  };
}

function endThread(calls: NativeCalls): void {
  // It takes effect a moment later.
  const exit: () => void = process.exit;
  exit();
  for (;;) Atomics.wait(calls, 0, ENDED);
}
