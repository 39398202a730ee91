/** Decides how the parts of a JSON document are reached when its publisher may have changed its shape. */

/** A member of an object; `undefined` for anything that is no object or has no such member. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** @throws when the document has no such list */
export function listIn(value: unknown, name: string): readonly unknown[] {
  const list = member(value, name);
  if (!Array.isArray(list)) throw new Error(`the document has no list "${name}"`);
  return list;
}
