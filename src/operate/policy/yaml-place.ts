/** Reads YAML with the place of each value, so that an error about any of them names its line and column. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { nearestName } from '../../config/nearest-name.ts';

/** A value of a file, and where it is. */
export interface YamlPlace {
  /** `policy.yaml:12:5`. */
  readonly place: string;
  /** Whether nothing was written: `thresholds:` alone. */
  readonly isEmpty: boolean;
  readonly isList: boolean;
  /** Whether it is exactly this text. */
  is(text: string): boolean;
  /** @throws Error with the place before the message */
  fail(message: string): never;
  /** Members of a map that has no others. An empty value is an empty map. @param what it is, for errors: `an account` */
  members<Name extends string>(what: string, names: readonly Name[]): ReadonlyMap<Name, YamlPlace>;
  /** Members of a map with any names. */
  pairs(what: string): readonly YamlPair[];
  /** An empty value is an empty list. */
  items(what: string): readonly YamlPlace[];
  /** Text on one line, without the spaces around it. A number is its text. */
  text(what: string, maxLength?: number): string;
  number(what: string, min: number, max: number): number;
  flag(what: string): boolean;
}

export interface YamlPair {
  readonly name: string;
  readonly key: YamlPlace;
  readonly value: YamlPlace;
}

const USUAL_LENGTH = 200;

interface YamlSource {
  readonly document: ReturnType<typeof parseDocument>;
  readonly placeOf: (offset: number) => string;
}

/** @param file name for errors @throws Error of one line for what is no YAML */
export function parseYaml(file: string, text: string): YamlPlace {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  const [error] = document.errors;
  if (error !== undefined)
    throw new Error(`${placeOf(error.pos[0])}: ${error.message.replace(/\s+/g, ' ').trim()}`);
  return openNode({ document, placeOf }, document.contents, 0);
}

/** @param offset place of the parent, for a value that is not written */
function openNode(source: YamlSource, written: unknown, offset: number): YamlPlace {
  const node = isAlias(written) ? written.resolve(source.document) : (written as Node | null);
  const start = (written as Node | null)?.range?.[0] ?? offset;
  const place = source.placeOf(start);
  const fail = (message: string): never => {
    throw new Error(`${place}: ${message}`);
  };
  const isEmpty = node === null || node === undefined || (isScalar(node) && node.value === null);

  function pairs(what: string): YamlPair[] {
    if (isEmpty) return [];
    if (!isMap(node)) return fail(`${what} must be a map: names, each with a colon and a value.`);
    return node.items.map(({ key, value }) => {
      const at = openNode(source, key, start);
      return {
        name: at.text('a name'),
        key: at,
        value: openNode(source, value, (key as Node).range?.[0] ?? start),
      };
    });
  }

  return {
    place,
    isEmpty,
    isList: isSeq(node),
    is: (wanted) => isScalar(node) && node.value === wanted,
    fail,
    pairs,
    members<Name extends string>(what: string, names: readonly Name[]) {
      const known = new Map<Name, YamlPlace>();
      for (const { name, key, value } of pairs(what)) {
        if (!names.includes(name as Name)) key.fail(`${what} has no ${name}${hint(name, names)}`);
        known.set(name as Name, value);
      }
      return known;
    },
    items(what) {
      if (isEmpty) return [];
      if (!isSeq(node)) return fail(`${what} must be a list: a line each that begins with “- ”.`);
      return node.items.map((item) => openNode(source, item, start));
    },
    ...scalarReaders(node, fail),
  };
}

function scalarReaders(
  node: Node | null | undefined,
  fail: (message: string) => never,
): Pick<YamlPlace, 'text' | 'number' | 'flag'> {
  const scalar = (what: string, kind: string) =>
    isScalar(node) && node.value !== null ? node : fail(`${what} must be ${kind}.`);
  return {
    text(what, maxLength = USUAL_LENGTH) {
      const found = scalar(what, 'a text');
      const written = typeof found.value === 'string' ? found.value : (found.source ?? String(found.value));
      const value = written.trim();
      if (value === '' || value.length > maxLength || /\p{C}/u.test(value))
        fail(`${what} must have 1 to ${maxLength} printable characters on one line.`);
      return value;
    },
    number(what, min, max) {
      const { value } = scalar(what, 'a number');
      if (typeof value !== 'number' || !(value >= min && value <= max))
        return fail(`${what} must be a number from ${min} to ${max}.`);
      return value;
    },
    flag(what) {
      const { value } = scalar(what, 'true or false');
      return typeof value === 'boolean' ? value : fail(`${what} must be true or false.`);
    },
  };
}

/** The name that was probably meant, else all that there are. */
function hint(name: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  return near === undefined ? `; it may have ${names.join(', ')}.` : `; did you mean ${near}?`;
}
