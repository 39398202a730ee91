/** Finds a header by its name, whatever form a platform gives headers in and however it writes their names. */

/** Headers of Fetch. */
export interface FetchHeaders {
  get(name: string): string | null;
}

type HeaderValue = string | readonly string[] | undefined;

/**
 * All forms: Fetch, an object or a `Map` by name, names and values in turn (`rawHeaders` of Node.js), or pairs of them.
 * Names may be in any case; a value may be a list.
 */
export type HeadersLike =
  | FetchHeaders
  | Readonly<Record<string, HeaderValue>>
  | ReadonlyMap<string, HeaderValue>
  | readonly string[]
  | readonly (readonly [string, HeaderValue])[];

/**
 * A request of Node.js (`IncomingMessage`), of Fetch (`Request`), an event of AWS Lambda behind API Gateway or a load balancer,
 * or headers alone.
 */
export type RequestLike =
  | FetchHeaders
  | {
      readonly headers?: HeadersLike | null | undefined;
      /** Every value of each header, where `headers` has only the last one. */
      readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined;
      readonly rawHeaders?: readonly string[] | null | undefined;
      readonly socket?: { readonly remoteAddress?: string | undefined } | null | undefined;
    };

/** A header of any kind of request; several of one name are joined by commas. */
export function readHeader(request: RequestLike, name: string): string | null {
  const values = valuesOf(headersOf(request), name.toLowerCase());
  return values.length === 0 ? null : values.join(', ');
}

function headersOf(request: RequestLike): HeadersLike {
  if (isFetchHeaders(request)) return request;
  const { headers, multiValueHeaders, rawHeaders } = request as Exclude<RequestLike, FetchHeaders>;
  const isEmpty = headers === undefined || headers === null;
  return multiValueHeaders ?? (isEmpty ? rawHeaders : headers) ?? (isEmpty ? (request as HeadersLike) : {});
}

/** A `Map` has `get` too, but finds a name in one spelling only. */
function isFetchHeaders(headers: unknown): headers is FetchHeaders {
  return typeof (headers as FetchHeaders).get === 'function' && !isMap(headers);
}

function isMap(headers: unknown): headers is ReadonlyMap<string, HeaderValue> {
  return Object.prototype.toString.call(headers) === '[object Map]';
}

/** Values in the order they came. @param name in lower case */
function valuesOf(headers: HeadersLike, name: string): string[] {
  if (isFetchHeaders(headers)) {
    const value = headers.get(name);
    return typeof value === 'string' ? [value] : [];
  }
  return pairsOf(headers)
    .filter(([key]) => typeof key === 'string' && key.toLowerCase() === name)
    .flatMap(([, value]) => value)
    .filter((value) => typeof value === 'string');
}

function pairsOf(
  headers: Exclude<HeadersLike, FetchHeaders>,
): (readonly [string, string | readonly string[] | undefined])[] {
  if (isMap(headers)) return [...headers];
  if (!Array.isArray(headers)) return Object.entries(headers as Readonly<Record<string, HeaderValue>>);
  if (Array.isArray(headers[0])) return headers as [string, string][];
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < headers.length; at += 2)
    pairs.push([headers[at] as string, headers[at + 1] as string]);
  return pairs;
}
