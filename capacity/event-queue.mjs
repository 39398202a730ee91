// A queue of events by time: a binary heap of flat arrays, cheap for millions of events.

export function createEventQueue() {
  let times = new Float64Array(1_024);
  const events = new Array(1_024);
  let size = 0;

  function grow() {
    const larger = new Float64Array(2 * times.length);
    larger.set(times);
    times = larger;
    events.length = times.length;
  }

  return {
    get size() {
      return size;
    },
    at(time, event) {
      if (size === times.length) grow();
      let place = size++;
      while (place > 0) {
        const parent = (place - 1) >> 1;
        if (times[parent] <= time) break;
        times[place] = times[parent];
        events[place] = events[parent];
        place = parent;
      }
      times[place] = time;
      events[place] = event;
    },
    /** Runs the earliest event, with its time. */
    next() {
      const time = times[0];
      const event = events[0];
      const last = times[--size];
      const moved = events[size];
      events[size] = undefined;
      let place = 0;
      for (;;) {
        let child = 2 * place + 1;
        if (child >= size) break;
        if (child + 1 < size && times[child + 1] < times[child]) child += 1;
        if (times[child] >= last) break;
        times[place] = times[child];
        events[place] = events[child];
        place = child;
      }
      times[place] = last;
      events[place] = moved;
      event(time);
      return time;
    },
  };
}
