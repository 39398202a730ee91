/** Assembles the OpenAPI 3.1 document from the operations, the messages, the problems and the examples. */
import { readFileSync } from 'node:fs';
import { EVENT_MESSAGES } from './event-messages.ts';
import { Assessment, ErrorEnvelope } from './messages.ts';
import { MANAGE_SECURITY, managePaths } from './openapi-manage.ts';
import { content, type Example, headers, RETRIED_LATER, reference, requestBody } from './openapi-parts.ts';
import {
  ASSESSMENT_HEADERS,
  IDEMPOTENCY_KEY,
  METER_HEADERS,
  OPERATIONS,
  type Operation,
  type OperationId,
  REDEEMED_HEADER,
  REDEEMER_KEY,
  REPLAY_HEADER,
  TAGS,
} from './operations.ts';
import { PROBLEMS, type ProblemCode } from './problem.ts';

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
  Object.assign(paths, managePaths(schemas));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version: '1.0.0',
      summary: 'Decides whether a signup may come in.',
      description:
        'Send the email address of a signup and, where you have it, the IP address of the visitor. The answer is a verdict (`allow`, `challenge` or `block`), a score from 0 to 100, the reasons behind it and the signals it was made from. Every error has the same envelope: a code for programs, a message and a resolution for people.',
      // No address: the schema takes absolute ones only, and each installation has its own.
      contact: { name: 'The operator of this installation' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooks(schemas),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: '`sk_live_…` or, for fixtures, `sk_test_…`.' },
        ...MANAGE_SECURITY,
      },
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function describe(operation: Operation, examples: Record<string, Example>, schemas: Record<string, unknown>) {
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    ...parameters(operation),
    ...(operation.request !== undefined && {
      requestBody: requestBody(operation.request, examples, schemas),
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

function parameters({ id, path, idempotent }: Operation) {
  const all = [
    ...(path.includes('{request_id}') ? [REQUEST_ID] : []),
    ...(idempotent ? [{ ...IDEMPOTENCY_KEY, in: 'header', required: false }] : []),
    ...(id === 'redeemChallenge' ? [{ ...REDEEMER_KEY, in: 'header', required: false }] : []),
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
        ...(operation.id === 'redeemChallenge' ? REDEEMED_HEADER : {}),
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

const WEBHOOK_HEADERS = {
  'webhook-id': 'Id of the event.',
  'webhook-timestamp': 'When this try was made, seconds since the epoch.',
  'webhook-signature':
    'One or two signatures, divided by a space, each `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`.',
};

/** Requests that Gatehouse makes, by the type of their event. */
function webhooks(schemas: Record<string, unknown>) {
  const parameters = Object.entries(WEBHOOK_HEADERS).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  }));
  return Object.fromEntries(
    Object.entries(EVENT_MESSAGES).map(([type, schema]) => [
      type,
      {
        post: {
          operationId: type.replace(/\W(\w)/, (_, letter: string) => letter.toUpperCase()),
          tags: ['Webhooks'],
          summary: type,
          description: (schema as { description?: string }).description,
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: reference(schema, schemas) } },
          },
          responses: {
            '2XX': { description: 'Taken. Anything else is tried again for a day.' },
            410: { description: 'Not wanted any more: the destination is disabled.' },
          },
        },
      },
    ]),
  );
}
