/** Reads a text of lines and fields from its start to its end: it may be one of millions, so no lists of them are made. */

const TAB = 9;
const ZERO = 48;
const NINE = 57;
const A = 97;
const Z = 122;

/** A field ends with a tab, a line with a line break or the text. */
export class BatchFields {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the rest of the line. */
  line(): string {
    const from = this.#at;
    this.skipLine();
    return this.#text.slice(from, this.#at - 1);
  }

  skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = (end < 0 ? this.#text.length : end) + 1;
  }

  field(): string {
    const from = this.#at;
    this.skip();
    return this.#text.slice(from, this.#at - 1);
  }

  /** Two fields with what divides them. */
  twoFields(): string {
    const from = this.#at;
    this.skip();
    this.skip();
    return this.#text.slice(from, this.#at - 1);
  }

  skip(): void {
    this.#at = this.#text.indexOf('\t', this.#at) + 1;
  }

  number(): number {
    const text = this.#text;
    let at = this.#at;
    let value = 0;
    let code = text.charCodeAt(at);
    for (; code >= ZERO && code <= NINE; code = text.charCodeAt(at)) {
      value = value * 10 + code - ZERO;
      at += 1;
    }
    // One that has a sign, say.
    if (code !== TAB) return Number(this.field());
    this.#at = at + 1;
    return value;
  }

  /** Milliseconds since the epoch, to the base of 36. */
  time(): number {
    const text = this.#text;
    let at = this.#at;
    let value = 0;
    for (; ; at += 1) {
      const code = text.charCodeAt(at);
      if (code >= ZERO && code <= NINE) value = value * 36 + code - ZERO;
      else if (code >= A && code <= Z) value = value * 36 + code - A + 10;
      else break;
    }
    this.#at = at + 1;
    return value;
  }
}
