/** Reads JSON lines as signups: each an object, whose members may be inside others. */
import type { ChooseColumns, ParseLine } from './signup-parser.ts';

/** `first`: the line whose members say which names there are. @throws when one is missing */
export function jsonParser(first: string, choose: ChooseColumns): ParseLine {
  const columns = choose(namesIn(parseObject(first) ?? {}, ''));
  return (text, line) => {
    const object = parseObject(text);
    if (object === undefined) return { line, problem: 'the line is not a JSON object' };
    const member = (name: string | null) => (name === null ? '' : textOf(valueAt(object, name)));
    return {
      line,
      email: member(columns.email),
      ip: member(columns.ip),
      time: member(columns.time),
      verdict: member(columns.verdict),
    };
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function namesIn(object: JsonObject, before: string): string[] {
  return Object.entries(object).flatMap(([name, value]) =>
    isObject(value) ? namesIn(value, `${before}${name}.`) : [`${before}${name}`],
  );
}

/** Own members only, by a name or by a path of names. */
function valueAt(object: JsonObject, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const dot = name.indexOf('.');
  const inner = dot < 0 ? undefined : valueAt(object, name.slice(0, dot));
  return isObject(inner) ? valueAt(inner, name.slice(dot + 1)) : undefined;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
