/** Writes HTML in which everything interpolated is escaped, unless it is HTML already; and texts and JSON as HTML. */

/** Markup that is safe in a page without escaping; made only by the functions of this file. */
export class Html {
  #text;

  constructor(text) {
    this.#text = text;
  }

  toString() {
    return this.#text;
  }
}

/**
 * html`<p>${text}</p>`: escapes text and numbers, joins arrays, leaves out undefined.
 * @returns {Html}
 */
export function html(strings, ...parts) {
  const pieces = parts.map((part, index) => `${toMarkup(part)}${strings[index + 1]}`);
  return new Html(`${strings[0]}${pieces.join('')}`);
}

/** A sentence whose `back-ticked` words become code. */
export function prose(text) {
  return html`${text.split('`').map((piece, index) => (index % 2 === 0 ? piece : code(piece)))}`;
}

/** Characters where a browser may break a line although a word goes on. */
const BREAKABLE = /[-/{}?]/;

/** Code that is broken only after a slash, a dot or a space, never inside a name such as `X-Request-Id`. */
export function code(text, name = '') {
  const attribute = name === '' ? '' : html` class="${name}"`;
  return html`<code${attribute}>${unbroken(text)}</code>`;
}

export function unbroken(text) {
  if (!BREAKABLE.test(text)) return text;
  return text
    .split(/(?<=\S)(?=\s)|(?<=\s)(?=\S)/)
    .map((word) =>
      word.trim() === ''
        ? word
        : word
            .split(/(?<=[^/.][/.])(?=[^/.])/)
            .map((piece, at) => html`${at === 0 ? '' : html`<wbr>`}<span class="token">${piece}</span>`),
    );
}

const ENTITIES = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function toMarkup(part) {
  if (part === undefined) return '';
  if (part instanceof Html) return part.toString();
  if (typeof part === 'object') return part.map(toMarkup).join('');
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

/** A key with its colon, any other string, or a number or word. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)|("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*|true|false|null)/g;

/** Indented JSON whose names and values are marked up differently. */
export function json(value) {
  const text = JSON.stringify(value, null, 2);
  const parts = [];
  let at = 0;
  let name = '';
  for (const match of text.matchAll(TOKEN)) {
    parts.push(text.slice(at, match.index));
    at = match.index + match[0].length;
    const [whole, key, colon] = match;
    if (key !== undefined) name = JSON.parse(key);
    if (key !== undefined) parts.push(html`<b>${key}</b>${colon}`);
    else if (name === 'verdict') parts.push(html`<i class="${JSON.parse(whole)}">${whole}</i>`);
    else parts.push(html`<i>${whole}</i>`);
  }
  return html`${parts}${text.slice(at)}`;
}
