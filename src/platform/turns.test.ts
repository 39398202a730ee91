import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

it('runs one task after the other, also after one that failed', async () => {
  const inTurn = createTurns();
  const events: string[] = [];
  const task = (name: string) => async () => {
    events.push(`${name} begins`);
    await setImmediate();
    events.push(`${name} ends`);
    if (name === 'b') throw new Error('b failed');
    return name;
  };
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => inTurn(task(name))));
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await inTurn(task('d'))).toBe('d');
});
