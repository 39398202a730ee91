/** Assembles the OpenAPI 3.1 document from the operations, the messages, the problems and the examples. */
import { readFileSync } from 'node:fs';
import { Assessment, ErrorEnvelope } from './messages.ts';
import {
  ASSESSMENT_HEADERS,
  IDEMPOTENCY_KEY,
  METER_HEADERS,
  OPERATIONS,
  type Operation,
  type OperationId,
  REPLAY_HEADER,
  TAGS,
} from './operations.ts';
import { PROBLEMS, type ProblemCode } from './problem.ts';

/** One example of one operation, as it is documented and as the tests replay it. */
export interface Example {
  readonly summary: string;
  /** Which key the request is sent with. */
  readonly key: 'live' | 'sandbox' | 'none' | 'revoked' | 'over_rate' | 'over_quota';
  /** An assessment to request first, whose id is then used in the path or the body. */
  readonly after?: object;
  readonly request_id?: string;
  readonly body?: object;
  readonly status: number;
  readonly answer: object;
}

export type Examples = Record<OperationId, Record<string, Example>>;

export function readExamples(): Examples {
  return JSON.parse(readFileSync(new URL('./examples.json', import.meta.url), 'utf8')) as Examples;
}

/** The whole document, as plain JSON; the same on every call. */
export function buildOpenApi(): Record<string, unknown> {
  const schemas: Record<string, unknown> = {};
  const examples = readExamples();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of Object.values<Operation>(OPERATIONS)) {
    const methods = paths[operation.path] ?? {};
    methods[operation.method.toLowerCase()] = describe(
      operation,
      examples[operation.id as OperationId],
      schemas,
    );
    paths[operation.path] = methods;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version: '1.0.0',
      summary: 'Decides whether a signup may come in.',
      description:
        'Send the email address of a signup and, where you have it, the IP address of the visitor. The answer is a verdict (`allow`, `challenge` or `block`), a score from 0 to 100, the reasons behind it and the signals it was made from. Every error has the same envelope: a code for programs, a message and a resolution for people.',
      contact: { name: 'The operator of this installation', url: '/docs' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: '`sk_live_…` or, for fixtures, `sk_test_…`.' },
      },
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function describe(operation: Operation, examples: Record<string, Example>, schemas: Record<string, unknown>) {
  // Requests that get an error are listed with that error: not all of them fit the schema.
  const bodies = Object.entries(examples).filter(
    ([, { body, status }]) => body !== undefined && status === 200,
  );
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    ...parameters(operation),
    ...(operation.request === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: reference(operation.request, schemas),
                examples: Object.fromEntries(
                  bodies.map(([name, { summary, key, body }]) => [
                    name,
                    { summary, 'x-key': key, value: body },
                  ]),
                ),
              },
            },
          },
        }),
    responses: responses(operation, examples, schemas),
  };
}

const REQUEST_ID = {
  name: 'request_id',
  in: 'path',
  required: true,
  description: 'The id from a prior assessment.',
  schema: { type: 'string' },
};

function parameters({ path, idempotent }: Operation) {
  const all = [
    ...(path.includes('{request_id}') ? [REQUEST_ID] : []),
    ...(idempotent ? [{ ...IDEMPOTENCY_KEY, in: 'header', required: false }] : []),
  ];
  return all.length === 0 ? {} : { parameters: all };
}

function responses(
  operation: Operation,
  examples: Record<string, Example>,
  schemas: Record<string, unknown>,
) {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of operation.problems) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const answers: Record<string, unknown> = {
    200: {
      description: 'Done.',
      headers: headers({
        ...(operation.metered ? METER_HEADERS : {}),
        ...(operation.idempotent ? REPLAY_HEADER : {}),
        ...(operation.response === Assessment ? ASSESSMENT_HEADERS : {}),
      }),
      content: content(operation.response, 200, examples, schemas),
    },
  };
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    answers[status] = {
      description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].message}`).join(' '),
      headers: headers({
        ...(status === 429 ? METER_HEADERS : {}),
        ...(RETRIED_LATER.has(status) ? { 'Retry-After': 'Seconds to wait.' } : {}),
      }),
      content: content(ErrorEnvelope, status, examples, schemas),
    };
  }
  return answers;
}

const RETRIED_LATER = new Set([429, 503]);

const TEXT_HEADERS = new Set(['X-Request-Id', 'Idempotent-Replayed']);

function headers(meanings: Record<string, string>) {
  const all = { 'X-Request-Id': 'Id of this request in the log.', ...meanings };
  return Object.fromEntries(
    Object.entries(all).map(([name, description]) => [
      name,
      { description, schema: { type: TEXT_HEADERS.has(name) ? 'string' : 'integer' } },
    ]),
  );
}

function content(
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

/** Registers every titled schema once among the components and points to it from everywhere else. */
function reference(schema: object, schemas: Record<string, unknown>): unknown {
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
