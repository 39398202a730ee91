/** Decides which route answers a request, by its path and method: one table for every route of a listener. */

/** Values of the path's segments, by their names in the pattern. */
export type Params = Readonly<Record<string, string>>;

export interface RouteMatch<Route> {
  readonly route: Route;
  readonly params: Params;
}

export interface Router<Route> {
  /**
   * `path`: a segment `:name` matches any text but an empty one, `:name?` also an empty one; a literal segment is
   * preferred to both. The route of GET answers HEAD, too. @throws Error when there is such a route already
   */
  add(method: string, path: string, route: Route): void;
  /** `path`: without the query. `undefined` also where a parameter cannot be decoded. */
  find(method: string, path: string): RouteMatch<Route> | undefined;
  /** Every route that was added, as it was added. */
  routes(): readonly { readonly method: string; readonly path: string; readonly route: Route }[];
  /** The methods that a path answers to; none where it is unknown, or only an empty parameter makes it known. */
  methodsOf(path: string): string[];
}

interface Pattern<Route> {
  readonly segments: readonly string[];
  readonly routes: Map<string, RouteMatch<Route>>;
}

interface TailedPattern<Route> extends Pattern<Route> {
  /** Its last segment, and the name in that. */
  readonly end: string;
  readonly name: string;
}

const NO_PARAMS: Params = {};
/** A parameter that cannot be decoded. */
const BROKEN = Symbol('broken');

export function createRouter<Route>(): Router<Route> {
  /** Paths without parameters: one look-up, for the operations that are called most. */
  const plain = new Map<string, Pattern<Route>>();
  const added: { method: string; path: string; route: Route }[] = [];
  /** Routes with a parameter only at the end, by the path before it: for operations, this is one look-up too. */
  const tailed = new Map<string, TailedPattern<Route>[]>();
  /** All with parameters, by the number of their segments; the more precise of two matches comes first. */
  const patterns = new Map<number, Pattern<Route>[]>();

  function patternOf(path: string): Pattern<Route> {
    const segments = path.split('/');
    const isPlain = !path.includes('/:');
    const siblings = patterns.get(segments.length) ?? [];
    const known = isPlain ? plain.get(path) : siblings.find((each) => each.segments.join('/') === path);
    if (known !== undefined) return known;
    const pattern = { segments, routes: new Map() };
    if (isPlain) {
      plain.set(path, pattern);
      return pattern;
    }
    patterns.set(segments.length, [...siblings, pattern].sort(byPrecision));
    const end = segments.at(-1) as string;
    const start = path.slice(0, -end.length);
    if (end.startsWith(':') && !start.includes('/:'))
      tailed.set(start, [...(tailed.get(start) ?? []), { ...pattern, name: nameOf(end), end }]);
    return pattern;
  }

  function fitting(path: string, emptyAllowed: boolean): Pattern<Route>[] {
    const own = plain.get(path);
    const segments = path.split('/');
    const others = (patterns.get(segments.length) ?? []).filter((pattern) =>
      fits(pattern, segments, emptyAllowed),
    );
    return own === undefined ? others : [own, ...others];
  }

  return {
    add(method, path, route) {
      const { routes } = patternOf(path);
      if (routes.has(method)) throw new Error(`${method} ${path} has two routes`);
      added.push({ method, path, route });
      for (const each of method === 'GET' ? ['GET', 'HEAD'] : [method])
        routes.set(each, { route, params: NO_PARAMS });
    },
    find(method, path) {
      const match = plain.get(path)?.routes.get(method);
      if (match !== undefined) return match;
      const tail = findTailed(tailed, method, path);
      if (tail !== undefined) return tail === BROKEN ? undefined : tail;
      const pattern = fitting(path, true).find(({ routes }) => routes.has(method));
      if (pattern === undefined) return undefined;
      const params = readParams(pattern.segments, path);
      const { route } = pattern.routes.get(method) as RouteMatch<Route>;
      return params === undefined ? undefined : { route, params };
    },
    routes: () => added,
    methodsOf: (path) => [...new Set(fitting(path, false).flatMap(({ routes }) => [...routes.keys()]))],
  };
}

/** Finds the pattern with a tail that fits. It is more precise than all others, which have a parameter earlier. */
function findTailed<Route>(
  tailed: ReadonlyMap<string, readonly TailedPattern<Route>[]>,
  method: string,
  path: string,
): RouteMatch<Route> | typeof BROKEN | undefined {
  const start = path.lastIndexOf('/') + 1;
  for (const { name, end, routes } of tailed.get(path.slice(0, start)) ?? []) {
    const match = routes.get(method);
    if (match === undefined || (start === path.length && !end.endsWith('?'))) continue;
    const value = decode(path.slice(start));
    return value === undefined ? BROKEN : { route: match.route, params: { [name]: value } };
  }
  return undefined;
}

function fits({ segments }: Pattern<unknown>, path: readonly string[], emptyAllowed: boolean): boolean {
  return segments.every((segment, at) => {
    if (!segment.startsWith(':')) return segment === path[at];
    return path[at] !== '' || (emptyAllowed && segment.endsWith('?'));
  });
}

/** Order of patterns: where two first differ, a literal segment comes before a parameter. */
function byPrecision(first: Pattern<unknown>, second: Pattern<unknown>): number {
  const rank = ({ segments }: Pattern<unknown>) =>
    segments.map((part) => Number(part.startsWith(':'))).join('');
  return rank(first).localeCompare(rank(second));
}

function readParams(segments: readonly string[], path: string): Params | undefined {
  const params: Record<string, string> = {};
  for (const [at, part] of path.split('/').entries()) {
    const segment = segments[at] as string;
    if (!segment.startsWith(':')) continue;
    const value = decode(part);
    if (value === undefined) return undefined;
    params[nameOf(segment)] = value;
  }
  return params;
}

/** `undefined` where it cannot be decoded. */
function decode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function nameOf(segment: string): string {
  return segment.slice(1).replace('?', '');
}
