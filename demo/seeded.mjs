// Draws the same numbers for the same seed, so that a demo can be repeated.

export function createSeeded(seed) {
  let state = seed >>> 0;
  /** In [0, 1). */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (count) => Math.floor(next() * count);
  return {
    next,
    below,
    /** A whole number from `min` to `max`, both included. */
    between: (min, max) => min + below(max - min + 1),
    chance: (share) => next() < share,
    pick: (values) => values[below(values.length)],
    /** Picks a value from `[value, weight]` rows. */
    weighted(rows) {
      let left = next() * rows.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of rows) {
        left -= weight;
        if (left < 0) return value;
      }
      return rows.at(-1)[0];
    },
    letters: (count) =>
      Array.from({ length: count }, () => 'abcdefghijklmnopqrstuvwxyz0123456789'[below(36)]).join(''),
  };
}
