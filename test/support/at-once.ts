/** Tells what a promise resolves to without waiting for anything outside the process, or that it waits. */
export async function atOnce<T>(answer: Promise<T> | undefined): Promise<T | 'waits'> {
  let said: T | 'waits' = 'waits';
  void answer?.then((value) => {
    said = value;
  });
  // Timers, sockets and disks come after these turns.
  for (let turn = 0; turn < MAX_TURNS; turn += 1) await null;
  return said;
}

const MAX_TURNS = 20;
