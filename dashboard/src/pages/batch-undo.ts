/** Takes all batches of one piece of work back. */
import type { BatchUndone } from '../../../src/contract/dashboard-batches.ts';
import { send } from '../api.ts';

/** @throws Error of one sentence, if some of it stays because somebody changed it since */
export async function takeBackAll(
  path: string,
  answers: readonly { readonly undo: string | null }[],
): Promise<void> {
  let left = 0;
  for (const { undo } of answers)
    if (undo !== null) left += (await send<BatchUndone>('POST', path, { token: undo })).changed;
  if (left > 0) throw new Error(`Taken back, but for ${left} that were changed since.`);
}
