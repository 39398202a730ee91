// The parts of a simulated installation for which requests wait: a core, several cores, a disk flush, locks.

/** Serves requests in sequence, in order of arrival. Times are milliseconds. */
export function createCore(queue) {
  let free = 0;
  let busy = 0;
  return {
    serve(now, milliseconds, then) {
      free = Math.max(free, now) + milliseconds;
      busy += milliseconds;
      queue.at(free, then);
    },
    busy: () => busy,
  };
}

/** First come, first served: the next request gets the first free core. */
export function createCores(count, queue) {
  const free = new Float64Array(count);
  let busy = 0;
  return {
    serve(now, milliseconds, then) {
      let soonest = 0;
      for (let core = 1; core < count; core += 1) if (free[core] < free[soonest]) soonest = core;
      free[soonest] = Math.max(free[soonest], now) + milliseconds;
      busy += milliseconds;
      queue.at(free[soonest], then);
    },
    busy: () => busy / count,
  };
}

/** One flush at a time; all requests that arrive during a flush share the next flush. */
export function createDisk(milliseconds, queue) {
  let waiting = [];
  let flushing = false;
  let flushes = 0;
  function start(now) {
    flushing = true;
    flushes += 1;
    const served = waiting;
    waiting = [];
    queue.at(now + milliseconds, (time) => {
      flushing = false;
      if (waiting.length > 0) start(time);
      for (const then of served) then(time);
    });
  }
  return {
    flush(now, then) {
      waiting.push(then);
      if (!flushing) start(now);
    },
    flushes: () => flushes,
  };
}

/** The rows of credits: only one transaction at a time locks a row, in order of arrival. */
export function createLocks(count) {
  const held = new Uint8Array(count);
  const waiting = new Map();
  return {
    take(now, row, then) {
      if (held[row] === 0) {
        held[row] = 1;
        then(now);
        return;
      }
      const queue = waiting.get(row);
      if (queue === undefined) waiting.set(row, [then]);
      else queue.push(then);
    },
    release(now, row) {
      const queue = waiting.get(row);
      if (queue === undefined) {
        held[row] = 0;
        return;
      }
      const then = queue.shift();
      if (queue.length === 0) waiting.delete(row);
      then(now);
    },
  };
}
