/** Reads the plain YAML that this repository's own deployment files are written in, and refuses the rest of the language. */

export type Yaml = string | number | boolean | null | Yaml[] | { [key: string]: Yaml };

interface Line {
  readonly indent: number;
  readonly text: string;
  readonly number: number;
}

const ENTRY = /^([A-Za-z0-9_./<-][A-Za-z0-9_./<-]*|"[^"\\]+"):(?: +(\S.*))?$/;
/** What a plain scalar may not begin with: flows, tags, folded texts and the like. */
const RESERVED = /^[[\]{}&*!|>%@`"'#,?]/;

/** @throws Error with the line that it cannot read. An anchor must stand before its use. */
export function readYaml(text: string): Yaml {
  return new Reader(text).document();
}

class Reader {
  readonly #raw: readonly string[];
  readonly #anchors = new Map<string, Yaml>();
  #lines: Line[];

  constructor(text: string) {
    this.#raw = text.split('\n');
    this.#lines = this.#raw.flatMap((raw, at) => {
      if (/^\s*(?:#.*)?$/.test(raw)) return [];
      const trimmed = raw.trimStart();
      const line = { indent: raw.length - trimmed.length, text: trimmed.trimEnd(), number: at + 1 };
      if (raw.includes('\t')) fail(line, 'a tab');
      return [line];
    });
  }

  document(): Yaml {
    const value = this.#block(0);
    const rest = this.#lines[0];
    if (rest !== undefined) fail(rest, 'an indentation that fits nothing');
    return value;
  }

  #block(indent: number): Yaml {
    return this.#lines[0]?.text.startsWith('- ') ? this.#sequence(indent) : this.#mapping(indent);
  }

  #sequence(indent: number): Yaml[] {
    const items: Yaml[] = [];
    for (let line = this.#lines[0]; line?.indent === indent; line = this.#lines[0]) {
      if (!line.text.startsWith('- ')) fail(line, 'an entry in a sequence');
      const rest = line.text.slice(2).trimStart();
      const inner = { ...line, indent: indent + line.text.length - rest.length, text: rest };
      if (ENTRY.test(withoutComment(rest))) {
        this.#lines[0] = inner;
        items.push(this.#mapping(inner.indent));
      } else {
        this.#lines.shift();
        items.push(this.#value(withoutComment(rest), inner, indent));
      }
    }
    return items;
  }

  #mapping(indent: number): Yaml {
    const entries: { [key: string]: Yaml } = {};
    let merged: Yaml = {};
    for (let line = this.#lines[0]; line?.indent === indent; line = this.#lines[0]) {
      const [, quoted, rest = ''] = ENTRY.exec(withoutComment(line.text)) ?? fail(line, 'no entry');
      const key = (quoted as string).replaceAll('"', '');
      if (Object.hasOwn(entries, key)) fail(line, 'a key that was there before');
      this.#lines.shift();
      const value = this.#value(rest, line, indent);
      if (key === '<<') merged = value;
      else entries[key] = value;
    }
    return { ...(merged as object), ...entries };
  }

  /** @param indent of the entry that the value belongs to */
  #value(text: string, line: Line, indent: number): Yaml {
    const anchor = /^&(\w+)$/.exec(text)?.[1];
    if (text === '' || anchor !== undefined) {
      const next = this.#lines[0];
      const value = next !== undefined && next.indent > indent ? this.#block(next.indent) : null;
      if (anchor !== undefined) this.#anchors.set(anchor, value);
      return value;
    }
    if (text === '|') return this.#literal(line, indent);
    if (text.startsWith('*')) return this.#anchors.get(text.slice(1)) ?? fail(line, 'an unknown anchor');
    return scalar(text, line);
  }

  #literal(line: Line, indent: number): string {
    let end = line.number;
    while (end < this.#raw.length) {
      const raw = this.#raw[end] as string;
      if (raw.trim() !== '' && raw.length - raw.trimStart().length <= indent) break;
      end += 1;
    }
    const raw = this.#raw.slice(line.number, end);
    while (raw.at(-1)?.trim() === '') raw.pop();
    this.#lines = this.#lines.filter(({ number }) => number > end);
    const depth = (raw[0] ?? '').length - (raw[0] ?? '').trimStart().length;
    return `${raw.map((each) => each.slice(depth)).join('\n')}\n`;
  }
}

function scalar(text: string, line: Line): Yaml {
  if (text === '{}') return {};
  if (/^["[]/.test(text)) return parsed(text, line);
  if (/^'[^']*'$/.test(text)) return text.slice(1, -1);
  if (RESERVED.test(text) || /: |:$/.test(text)) fail(line, 'a value that wants quotes');
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return Number(text);
  if (/^(?:yes|no|on|off|y|n|~)$/i.test(text)) fail(line, 'a word that old parsers take for another');
  if (text === 'null') return null;
  return { true: true, false: false }[text] ?? text;
}

function parsed(text: string, line: Line): Yaml {
  try {
    return JSON.parse(text) as Yaml;
  } catch {
    return fail(line, 'a quoted text or a flow that is not JSON');
  }
}

/** A comment begins at a `#` after a space, outside of quotes. */
function withoutComment(text: string): string {
  return /["']/.test(text) ? text : text.replace(/\s+#.*$/, '');
}

function fail(line: Line, what: string): never {
  throw new Error(`line ${line.number}: ${what}: ${line.text}`);
}
