/** Puts what velocity counts of batches into order of time, in columns, without making an object or a text of each attempt: a start reads millions. */
import type { AttemptColumns } from '../../model/velocity-event.ts';
import { parseAttempts } from './attempt-lines.ts';
import { AttemptPage } from './attempt-page.ts';

export interface AttemptOrder {
  /** Adds the attempts of rows that are live and were assessed after `since`. @param rows their `attempts`, as UTF-8, divided by `ROW_END` */
  add(rows: Uint8Array): void;
  /** Number of attempts that wait to be taken. */
  waiting(): number;
  /** Takes those assessed before an instant, oldest first. Valid until the next call of anything. */
  take(before: number): AttemptColumns;
}

/** More than wait at once, and so few that a time and a place share the 53 bits of a number. */
const PLACES = 2 ** 22;

export function createAttemptOrder(since: number): AttemptOrder {
  const accounts: string[] = [];
  const places = new Map<string, number>();
  let [waiting, spare, output] = [new AttemptPage(), new AttemptPage(), new AttemptPage()];

  function placeOf(accountId: string): number {
    const place = places.get(accountId) ?? accounts.push(accountId) - 1;
    places.set(accountId, place);
    return place;
  }

  return {
    add: (rows) => parseAttempts(waiting, rows, since, placeOf),
    waiting: () => waiting.length,
    take(before) {
      const order = orderOf(waiting);
      const placeAt = (index: number) => (order === undefined ? index : (order[index] as number));
      const { length } = waiting;
      let settled = 0;
      while (settled < length && (waiting.at[placeAt(settled)] as number) < before) settled += 1;
      spare.clear();
      for (let index = settled; index < length; index += 1) spare.copy(waiting, placeAt(index));
      if (order === undefined) {
        // As it is: the page before, which nobody reads any more, becomes the spare one.
        [output, waiting, spare] = [waiting, spare, output];
        output.length = settled;
      } else {
        output.length = 0;
        for (let index = 0; index < settled; index += 1) output.add(waiting, order[index] as number, 0);
        // The attempts that were taken refer to the bytes; the next page is written over those of the page before.
        [output.bytes, waiting.bytes] = [waiting.bytes, output.bytes];
        [waiting, spare] = [spare, waiting];
      }
      const { length: taken, account, at, marks } = output;
      return { accounts, length: taken, account, at, marks, ...output.text() };
    },
  };
}

/** Places by time; `undefined` where they are in this order. */
function orderOf({ at, length }: AttemptPage): Float64Array | undefined {
  let [first, isInOrder] = [Number.POSITIVE_INFINITY, true];
  for (let place = 0; place < length; place += 1) {
    if (place > 0 && (at[place] as number) < (at[place - 1] as number)) isInOrder = false;
    first = Math.min(first, at[place] as number);
  }
  if (isInOrder) return undefined;
  const order = new Float64Array(length);
  for (let place = 0; place < length; place += 1)
    order[place] = ((at[place] as number) - first) * PLACES + place;
  order.sort();
  for (let index = 0; index < length; index += 1) order[index] = (order[index] as number) % PLACES;
  return order;
}
