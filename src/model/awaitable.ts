/** A value that is often available at once, and sometimes only later: nearly all look-ups of an assessment end in memory. */
export type Awaitable<T> = T | Promise<T>;
