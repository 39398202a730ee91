/** Waits for work, but no longer than a limit. */

/** Resolves when `work` has settled, or after so many milliseconds. Never rejects. */
export async function waitAtMost(work: Promise<unknown> | undefined, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, patience]).catch(() => {});
  clearTimeout(timer);
}
