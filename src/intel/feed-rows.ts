/** Turns each row of a feed into an entry, once even if it is listed several times, or counts it as an error. */
import { canonicalBlock } from './canonical-block.ts';
import type { ParsedFeed } from './feed.ts';

const ERROR_LENGTH = 120;
/** Several times the largest feed there is; a longer document is an attack on memory, not a list. */
export const MAX_ENTRIES = 2_000_000;
const MAX_ASN = 0xffffffff;

export class FeedRows {
  private readonly counted: boolean;
  private readonly maxEntries: number;
  /** Canonical entry → the highest number of lists that it came with. */
  private readonly levels = new Map<string, number>();
  private rows = 0;
  private errors = 0;
  private firstError: string | undefined;

  /** `counted`: in this format, each entry comes with a number of lists. */
  constructor({ counted, maxEntries = MAX_ENTRIES }: { counted: boolean; maxEntries?: number }) {
    this.counted = counted;
    this.maxEntries = maxEntries;
  }

  /**
   * Takes one row: its canonical entry, or `undefined` if `row` could not be read.
   * @throws when there are more entries than any feed has
   */
  take(entry: string | undefined, row: unknown, level = 1): void {
    if (entry === undefined) {
      this.refuse(row);
      return;
    }
    this.rows += 1;
    const known = this.levels.get(entry);
    if (known === undefined || known < level) this.levels.set(entry, level);
    if (this.levels.size > this.maxEntries) throw new Error(`more than ${this.maxEntries} entries`);
  }

  takeBlock(value: unknown, level = 1): void {
    this.take(typeof value === 'string' ? canonicalBlock(value) : undefined, value, level);
  }

  takeAsn(value: number, row: unknown): void {
    const fits = Number.isInteger(value) && value >= 1 && value <= MAX_ASN;
    this.take(fits ? `AS${value}` : undefined, row);
  }

  refuse(row: unknown): void {
    this.rows += 1;
    this.errors += 1;
    this.firstError ??= excerpt(row);
  }

  result(): ParsedFeed {
    const { rows, errors, firstError } = this;
    return {
      entries: [...this.levels.keys()],
      ...(this.counted ? { levels: [...this.levels.values()] } : {}),
      rows,
      errors,
      ...(firstError === undefined ? {} : { firstError }),
    };
  }
}

/** A short line of the publisher's text that is safe in a log. */
function excerpt(row: unknown): string {
  const text = typeof row === 'string' ? row : (JSON.stringify(row) ?? String(row));
  return text.slice(0, ERROR_LENGTH).replace(/\p{C}/gu, '\ufffd');
}
