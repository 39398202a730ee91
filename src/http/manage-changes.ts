/** Decides which members of a request are changes: a member with the current value changes nothing and has no audit entry. */
import { isDeepStrictEqual } from 'node:util';

/** The members of `changes` that are present and differ from `before`. */
export function changed<Thing extends object, Changes extends { [name in keyof Thing]?: unknown }>(
  before: Thing,
  changes: Changes,
): Changes {
  const entries = Object.entries(changes).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, before[name as keyof Thing]),
  );
  return Object.fromEntries(entries) as Changes;
}
