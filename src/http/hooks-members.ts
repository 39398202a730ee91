/** Reads members of a provider's body, whose form is known from documents only. */
import { BROUGHT_BY, type BroughtBy } from '../model/signup-attempt.ts';

/** `undefined` where it is not JSON. */
export function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The value at a path of member names; `undefined` where there is none. */
export function memberAt(body: unknown, ...path: readonly string[]): unknown {
  let value = body;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** The text at a path; `undefined` also where it is empty. */
export function textAt(body: unknown, ...path: readonly string[]): string | undefined {
  const value = memberAt(body, ...path);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Party that brings the person; another value than ours says nothing. */
export function broughtByAt(body: unknown, ...path: readonly string[]): BroughtBy | undefined {
  const text = textAt(body, ...path);
  return BROUGHT_BY.find((value) => value === text);
}

/** The value of a header; several values are joined by Node, except for a few that no provider uses. */
export function headerOf(headers: Readonly<Record<string, string | string[] | undefined>>, name: string) {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
