/** A damaged snapshot is compiled again at once, also if it could not be forgotten at the first try. */
import { expect, it } from 'vitest';
import type { FeedRound } from './feed-round.ts';
import { createForgetDamaged } from './snapshot-follower.ts';

it('is compiled again as soon as it is forgotten; the next one waits for its turn', async () => {
  const log: string[] = [];
  let isBusy = true;
  const round = { forget: async (id: string) => void log.push(`forgot ${id}`) } as unknown as FeedRound;
  const forget = createForgetDamaged(
    async (work) => (isBusy ? undefined : await work(round)),
    () => log.push('compile'),
  );
  await forget('a');
  expect(log).toEqual([]);
  isBusy = false;
  await forget('a');
  expect(log).toEqual(['forgot a', 'compile']);
  await forget('b');
  expect(log).toEqual(['forgot a', 'compile', 'forgot b']);
});
