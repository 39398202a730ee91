/** Remembers which months have their partitions, and makes those of a month when its first id comes. */
import type { Database } from './database.ts';
import { idsOfMonth, monthOfId } from './month-ids.ts';
import { makePartitions } from './partitions.ts';

export interface KnownMonths {
  /** Whether an id stands in a month that has partitions, as far as is known. Cheap. */
  has(requestId: string): boolean;
  /** Makes what the ids need. @throws when it cannot, or one is no request id */
  make(requestIds: readonly string[]): Promise<void>;
  /** Another node may have dropped some: all are to be made sure of again. */
  forget(): void;
}

export function createKnownMonths(database: Database): KnownMonths {
  /** First id, and the first one after it. Newest first: it is asked for most. */
  let known: (readonly [from: string, to: string])[] = [];
  const has = (requestId: string) => known.some(([from, to]) => requestId >= from && requestId < to);

  return {
    has,
    async make(requestIds) {
      const months = new Set(requestIds.filter((requestId) => !has(requestId)).map(monthOf));
      if (months.size === 0) return;
      await makePartitions(database, [...months].sort());
      known = [...known, ...[...months].map(idsOfMonth)].sort(([one], [other]) => (one > other ? -1 : 1));
    },
    forget() {
      known = [];
    },
  };
}

function monthOf(requestId: string): string {
  const month = monthOfId(requestId);
  if (month === undefined) throw new Error('a request id without a time cannot be stored');
  return month;
}
