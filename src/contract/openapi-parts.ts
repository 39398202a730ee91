/** Parts of the OpenAPI document that all operations have: headers, contents with their examples, references to schemas. */

/** One example of one operation, as it is documented and as the tests replay it. */
export interface Example {
  readonly summary: string;
  /** Key that the request is sent with. */
  readonly key: 'live' | 'sandbox' | 'none' | 'revoked' | 'over_rate' | 'over_quota' | 'token';
  /** Path of the management API, with its ids. */
  readonly path?: string;
  /** An assessment to request first, whose id is then used in the path or the body. */
  readonly after?: object;
  readonly request_id?: string;
  readonly body?: object;
  readonly status: number;
  readonly answer: object;
}

/** Statuses whose answers say when to try again. */
export const RETRIED_LATER = new Set([429, 500, 503]);

const TEXT_HEADERS = new Set(['X-Request-Id', 'Idempotent-Replayed']);

export function headers(meanings: Record<string, string>) {
  const all = {
    'X-Request-Id':
      'Your own `X-Request-Id`, if you sent one of 1 to 128 visible ASCII characters, otherwise the id of this request in the log.',
    ...meanings,
  };
  return Object.fromEntries(
    Object.entries(all).map(([name, description]) => [
      name,
      { description, schema: { type: TEXT_HEADERS.has(name) ? 'string' : 'integer' } },
    ]),
  );
}

export function content(
  schema: object,
  status: number,
  examples: Record<string, Example>,
  schemas: Record<string, unknown>,
) {
  const shown = Object.entries(examples).filter(([, example]) => example.status === status);
  return {
    'application/json': {
      schema: reference(schema, schemas),
      ...(shown.length === 0
        ? {}
        : {
            examples: Object.fromEntries(
              shown.map(([name, { summary, key, body, answer }]) => [
                name,
                {
                  summary,
                  'x-key': key,
                  ...(status === 200 || body === undefined ? {} : { 'x-request': body }),
                  value: answer,
                },
              ]),
            ),
          }),
    },
  };
}

/** The body of a request. Requests that get an error are listed with that error: not all of them fit the schema. */
export function requestBody(
  schema: object,
  examples: Record<string, Example>,
  schemas: Record<string, unknown>,
) {
  const bodies = Object.entries(examples).filter(
    ([, { body, status }]) => body !== undefined && status === 200,
  );
  return {
    required: true,
    content: {
      'application/json': {
        schema: reference(schema, schemas),
        examples: Object.fromEntries(
          bodies.map(([name, { summary, key, body }]) => [name, { summary, 'x-key': key, value: body }]),
        ),
      },
    },
  };
}

/** Registers every titled schema once among the components and points to it from everywhere else. */
export function reference(schema: object, schemas: Record<string, unknown>): unknown {
  const plain = JSON.parse(JSON.stringify(schema)) as unknown;
  return lift(plain, schemas);
}

function lift(node: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map((item) => lift(item, schemas));
  if (typeof node !== 'object' || node === null) return node;
  const lifted = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, lift(value, schemas)]));
  if (typeof lifted.title !== 'string' || lifted.type === undefined) return lifted;
  schemas[lifted.title] = lifted;
  return { $ref: `#/components/schemas/${lifted.title}` };
}
