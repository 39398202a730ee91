/** Writes HTML in which everything interpolated is escaped, unless it is HTML already. */

/** Markup that is safe in a page without escaping; made only by the functions of this file. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Part = Html | string | number | undefined | readonly Part[];

/** html`<p>${text}</p>`: escapes text and numbers, joins arrays, leaves out undefined. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = parts.map((part, index) => `${toMarkup(part)}${strings[index + 1]}`);
  return new Html(`${strings[0]}${pieces.join('')}`);
}

/** A sentence whose `back-ticked` words become code. */
export function prose(text: string): Html {
  return html`${text.split('`').map((piece, index) => (index % 2 === 0 ? piece : html`<code>${piece}</code>`))}`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function toMarkup(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.toString();
  if (typeof part === 'object') return part.map(toMarkup).join('');
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
