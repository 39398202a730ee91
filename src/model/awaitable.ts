/** What is often there at once, and sometimes has to be waited for: nearly all of an assessment's look-ups end in memory. */
export type Awaitable<T> = T | Promise<T>;
