/** Remembers of very many mailboxes the last day on which each came, in six bytes each and a bounded memory. */

const SLOT_BYTES = 6;
const MIN_SLOTS = 1_024;
/** Share of slots that may be taken: more would make look-ups long. */
const MAX_LOAD = 0.7;
const GOLDEN = 0x9e3779b1;

/**
 * Mailboxes by 32 bits of their hashes: with a million of them, one in four thousand others is taken for one of them. When the
 * memory is full, what came longest ago is forgotten.
 */
export class SeenMailboxes {
  readonly #maxSlots: number;
  #young = new Table(MIN_SLOTS);
  #old = new Table(MIN_SLOTS);

  /** @param bytes of memory, at least 12,288 */
  constructor(bytes: number) {
    const slots = Math.floor(bytes / 2 / SLOT_BYTES);
    this.#maxSlots = Math.max(MIN_SLOTS, 2 ** Math.floor(Math.log2(slots)));
  }

  /** Notes that it came. @param print 32 bits of a hash. @param day since the epoch, below 32,768 */
  note(print: number, day: number, isBlocked: boolean): void {
    const unsigned = print >>> 0;
    const before = this.#valueOf(unsigned);
    const value =
      (Math.max(day, before >> 1) << 1) | (isBlocked && (before === 0 || (before & 1) === 1) ? 1 : 0);
    if (this.#young.isFull) this.#makeRoom();
    put(this.#young, unsigned, value);
  }

  /** The last day, since the epoch; 0 where it is not known to have come. */
  dayOf(print: number): number {
    return this.#valueOf(print >>> 0) >> 1;
  }

  /** Whether it was blocked each time. */
  isBlocked(print: number): boolean {
    return (this.#valueOf(print >>> 0) & 1) === 1;
  }

  #valueOf(print: number): number {
    const { values } = this.#young;
    return values[this.#young.slotOf(print)] || (this.#old.values[this.#old.slotOf(print)] as number);
  }

  #makeRoom(): void {
    const { prints, values } = this.#young;
    if (values.length >= this.#maxSlots) {
      this.#old = this.#young;
      this.#young = new Table(MIN_SLOTS);
      return;
    }
    this.#young = new Table(values.length * 2);
    for (const [slot, value] of values.entries())
      if (value !== 0) put(this.#young, prints[slot] as number, value);
  }
}

/** Slots of one generation: a print of 32 bits, and a day with a mark; a day of 0 is a free slot. */
class Table {
  readonly prints: Uint32Array;
  readonly values: Uint16Array;
  count = 0;
  readonly #shift: number;

  constructor(slots: number) {
    this.prints = new Uint32Array(slots);
    this.values = new Uint16Array(slots);
    this.#shift = Math.clz32(slots) + 1;
  }

  /** Slot of a print, or the free one where it belongs. */
  slotOf(print: number): number {
    const last = this.values.length - 1;
    let slot = Math.imul(print, GOLDEN) >>> this.#shift;
    while (this.values[slot] !== 0 && this.prints[slot] !== print) slot = (slot + 1) & last;
    return slot;
  }

  get isFull(): boolean {
    return this.count >= this.values.length * MAX_LOAD;
  }
}

function put(table: Table, print: number, value: number): void {
  const slot = table.slotOf(print);
  if (table.values[slot] === 0) table.count += 1;
  table.prints[slot] = print;
  table.values[slot] = value;
}
