/** Compares what a client gave with what a vector expects: a part of an object is enough, and some members say more than a value. */

type Members = Readonly<Record<string, unknown>>;

/** @returns every difference, as a path and both values; empty where all is as expected. `results`: what `$0.answer` refers to */
export function differences(actual: unknown, expected: unknown, results: unknown, path = ''): string[] {
  const wanted =
    typeof expected === 'string' && expected.startsWith('$') ? refer(expected, results) : expected;
  if (isMatcher(wanted))
    return matches(actual, wanted, results) ? [] : [`${path}: ${show(actual)}, not ${show(wanted)}`];
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual) || actual.length < wanted.length)
      return [`${path}: ${show(actual)}, not ${show(wanted)}`];
    // An empty list means that there is nothing; other lists may continue.
    if (wanted.length === 0 && actual.length > 0) return [`${path}: ${show(actual)}, not []`];
    return wanted.flatMap((each, at) => differences(actual[at], each, results, `${path}[${at}]`));
  }
  if (!isMembers(wanted)) {
    const same = (actual ?? null) === (wanted ?? null);
    return same ? [] : [`${path}: ${show(actual)}, not ${show(wanted)}`];
  }
  if (!isMembers(actual)) return [`${path}: ${show(actual)}, not ${show(wanted)}`];
  return Object.entries(wanted).flatMap(([name, value]) =>
    differences(actual[name], value, results, path === '' ? name : `${path}.${name}`),
  );
}

function matches(actual: unknown, matcher: Members, results: unknown): boolean {
  return Object.entries(matcher).every(([name, value]) => {
    if (name === '$type') return value === 'text' ? typeof actual === 'string' : false;
    if (name === '$match') return typeof actual === 'string' && new RegExp(String(value)).test(actual);
    if (name === '$not_match') return !new RegExp(String(value), 'i').test(String(actual ?? ''));
    if (name === '$min') return typeof actual === 'number' && actual >= Number(value);
    if (name === '$max') return typeof actual === 'number' && actual <= Number(value);
    if (name === '$one_of')
      return (value as unknown[]).some((each) => differences(actual, each, results).length === 0);
    throw new Error(`${name} is no matcher`);
  });
}

function isMatcher(value: unknown): value is Members {
  return isMembers(value) && Object.keys(value).some((name) => name.startsWith('$'));
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refer(reference: string, results: unknown): unknown {
  return reference
    .slice(1)
    .split('.')
    .reduce((at: unknown, name) => (at as Members | undefined)?.[name], results);
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 300);
}
