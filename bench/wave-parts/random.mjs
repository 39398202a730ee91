// Draws numbers by a seed and the name of a part, so that a change of one part leaves the others as they are.
import { createSeeded } from '../../demo/seeded.mjs';

/** `part`: each draws from a stream of its own. */
export function createRandom(seed, part) {
  const random = createSeeded(hash(`${seed}/${part}`));
  return {
    ...random,
    /** `count` characters of an alphabet. */
    text: (count, alphabet) =>
      Array.from({ length: count }, () => alphabet[random.below(alphabet.length)]).join(''),
    shuffle(values) {
      const mixed = [...values];
      for (let at = mixed.length - 1; at > 0; at -= 1) {
        const other = random.below(at + 1);
        [mixed[at], mixed[other]] = [mixed[other], mixed[at]];
      }
      return mixed;
    },
    /** `count` different values, or all if there are fewer. */
    some(values, count) {
      return this.shuffle(values).slice(0, count);
    },
  };
}

/** A choice from `[value, weight]` rows that is made often: the sums are made once. */
export function createChoice(rows) {
  const sums = [];
  let sum = 0;
  for (const [, weight] of rows) {
    sum += weight;
    sums.push(sum);
  }
  return (random) => {
    const sought = random.next() * sum;
    let low = 0;
    for (let high = rows.length - 1; low < high; ) {
      const middle = (low + high) >> 1;
      if (sums[middle] > sought) high = middle;
      else low = middle + 1;
    }
    return rows[low][0];
  };
}

/** 32 bits, each of which depends on every character. */
function hash(text) {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
