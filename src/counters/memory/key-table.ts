/** Decides which small number (slot) stands for a key: a hash table over numbers that is light to grow and to collect. */

const FIRST_BITS = 4;
const NONE = -1;

export class KeyTable {
  /** Nobody outside knows it, so nobody can choose keys that collide. */
  readonly #seed = Math.floor(Math.random() * 2 ** 32) | 0;
  /**
   * Places of two numbers, a key's hash and its slot + 1; 0 marks an empty place. A key stands at the place its
   * hash's upper bits name or soon after it, so that growing reads and writes from front to back.
   */
  #places = new Int32Array(2 << FIRST_BITS);
  #bits = FIRST_BITS;
  /** Per slot: its key; its key's hash or, once released, the next free slot. */
  readonly #keys: string[] = [];
  #hashes = new Int32Array(1 << FIRST_BITS);
  #free = NONE;
  #held = 0;

  /** The slot of a key, a free one if it has none. */
  slotOf(key: string): number {
    const hash = hashOf(key, this.#seed);
    const places = this.#places;
    const last = places.length - 2;
    let place = (hash >>> (32 - this.#bits)) * 2;
    for (;;) {
      const slot = (places[place + 1] as number) - 1;
      if (slot === NONE) return this.#add(key, hash, place);
      if (places[place] === hash && this.#keys[slot] === key) return slot;
      place = (place + 2) & last;
    }
  }

  keyOf(slot: number): string {
    return this.#keys[slot] as string;
  }

  release(slot: number): void {
    const places = this.#places;
    const last = places.length - 2;
    const shift = 32 - this.#bits;
    let gap = ((this.#hashes[slot] as number) >>> shift) * 2;
    while (places[gap + 1] !== slot + 1) gap = (gap + 2) & last;
    // Keys behind the gap move up, unless that put them before the place their hash names.
    for (let place = (gap + 2) & last; places[place + 1] !== 0; place = (place + 2) & last) {
      const home = ((places[place] as number) >>> shift) * 2;
      if (((place - home) & last) < ((place - gap) & last)) continue;
      places.copyWithin(gap, place, place + 2);
      gap = place;
    }
    places[gap + 1] = 0;
    this.#keys[slot] = '';
    this.#hashes[slot] = this.#free;
    this.#free = slot;
    this.#held -= 1;
  }

  #add(key: string, hash: number, place: number): number {
    const slot = this.#takeFree();
    this.#keys[slot] = key;
    this.#hashes[slot] = hash;
    this.#places[place] = hash;
    this.#places[place + 1] = slot + 1;
    this.#held += 1;
    if (this.#held * 4 > this.#places.length) this.#grow();
    return slot;
  }

  #takeFree(): number {
    const slot = this.#free;
    if (slot !== NONE) {
      this.#free = this.#hashes[slot] as number;
      return slot;
    }
    if (this.#keys.length === this.#hashes.length) this.#hashes = widened(this.#hashes);
    return this.#keys.length;
  }

  #grow(): void {
    const old = this.#places;
    const places = new Int32Array(old.length * 2);
    const last = places.length - 2;
    this.#bits += 1;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from + 1] === 0) continue;
      const hash = old[from] as number;
      let place = (hash >>> (32 - this.#bits)) * 2;
      while (places[place + 1] !== 0) place = (place + 2) & last;
      places[place] = hash;
      places[place + 1] = old[from + 1] as number;
    }
    this.#places = places;
  }
}

export function widened(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(numbers.length * 2);
  wider.set(numbers);
  return wider;
}

function hashOf(key: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return Math.imul(hash, 0x85ebca6b);
}
