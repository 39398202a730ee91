import { expect, it } from 'vitest';
import { combine } from './limits.ts';

const STEP = 5;

/** Lists of so many weights, each in every order. */
function* ordersOf(count: number, from = STEP): Generator<number[][]> {
  if (count === 0) return yield [[]];
  for (let weight = from; weight < 100; weight += STEP)
    for (const orders of ordersOf(count - 1, weight))
      yield orders.flatMap((rest) =>
        Array.from({ length: count }, (_, at) => [...rest.slice(0, at), weight, ...rest.slice(at)]),
      );
}

it.each([2, 3, 4])('%i findings have the same weight together in any order', (count) => {
  const different: number[][] = [];
  for (const orders of ordersOf(count)) {
    const together = new Set(orders.map((weights) => combine(weights.map((weight) => ({ weight })))));
    if (together.size > 1) different.push(orders[0] as number[]);
  }
  expect(different).toEqual([]);
});
