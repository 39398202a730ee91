/** Waits for work, but not longer than a deadline. */

/** @param onLate called when the work is late: its value, or what it throws, is the result. The work goes on. */
export async function within<T, Late>(
  milliseconds: number,
  work: Promise<T>,
  onLate: () => Late,
): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    return await Promise.race([work, late.then(onLate)]);
  } finally {
    clearTimeout(timer);
  }
}
