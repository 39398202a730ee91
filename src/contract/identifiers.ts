/** Makes ids: a prefix that tells the kind, and a lower-case ULID that sorts by time. */
import { randomFillSync } from 'node:crypto';
import { createUlid } from './ulid.ts';

export type IdPrefix =
  | 'req'
  | 'acc'
  | 'key'
  | 'lst'
  | 'usr'
  | 'inv'
  | 'hk'
  | 'tok'
  | 'evt'
  | 'dst'
  | 'alr'
  | 'flt'
  | 'act'
  | 'rcl'
  | 'con'
  | 'tbk';

/** @param now milliseconds since the epoch; ids made in order sort in order, also within a millisecond. */
export type MakeId = (prefix: IdPrefix, now: number) => string;

/** A maker of time-ordered ids, 79 random bits each millisecond. */
export function createMakeId(): MakeId {
  const next = createUlid(pooledRandom());
  return (prefix, now) => `${prefix}_${next(now)}`;
}

/** 32 random bits from the system's CSPRNG, drawn many at a time. */
function pooledRandom(): () => number {
  const pool = new Uint32Array(1024);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    const value = pool[at] as number;
    at += 1;
    return value;
  };
}
