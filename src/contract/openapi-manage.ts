/** Describes the operations of the management API for the OpenAPI document. */
import { readFileSync } from 'node:fs';
import { ManageErrorEnvelope } from './manage-messages.ts';
import { MANAGE_OPERATIONS, type ManageOperation } from './manage-operations.ts';
import { type ManageProblemCode, manageProblem } from './manage-problems.ts';
import { content, type Example, headers, RETRIED_LATER, requestBody } from './openapi-parts.ts';

export type ManageExamples = Record<string, Record<string, Example>>;

export const MANAGE_SECURITY = {
  manageToken: {
    type: 'http',
    scheme: 'bearer',
    description: '`gatehouse_token_…`, with the scope that the operation names.',
  },
};

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  account: 'Id of the account.',
  key: 'Id of the key.',
  entry: 'Id of the list entry.',
  hook: 'Id of the hook.',
  destination: 'Id of the destination.',
  event: 'Id of the event.',
};

const PAGE_PARAMETERS = [
  {
    name: 'after',
    in: 'query',
    required: false,
    description: 'The `next` of the previous page.',
    schema: { type: 'string' },
  },
  {
    name: 'limit',
    in: 'query',
    required: false,
    description: 'Maximum number of rows; default 50.',
    schema: { type: 'integer', minimum: 1, maximum: 200 },
  },
];

export function readManageExamples(): ManageExamples {
  const file = new URL('./manage-examples.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as ManageExamples;
}

/** Operations by path, then by method. Adds the messages to `schemas`. */
export function managePaths(schemas: Record<string, unknown>): Record<string, Record<string, unknown>> {
  const examples = readManageExamples();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of MANAGE_OPERATIONS) {
    const methods = paths[operation.path] ?? {};
    methods[operation.method.toLowerCase()] = describe(operation, examples[operation.id] ?? {}, schemas);
    paths[operation.path] = methods;
  }
  return paths;
}

function describe(
  operation: ManageOperation,
  examples: Record<string, Example>,
  schemas: Record<string, unknown>,
) {
  const parameters = [
    ...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      description: PATH_PARAMETERS[name],
      schema: { type: 'string' },
    })),
    ...Object.entries(operation.filters).map(([name, description]) => ({
      name,
      in: 'query',
      required: false,
      description,
      schema: { type: 'string' },
    })),
    ...(operation.paged ? PAGE_PARAMETERS : []),
  ];
  return {
    operationId: operation.id,
    tags: ['Management'],
    summary: operation.summary,
    description: `${operation.description} Scope: \`${operation.scope}\`.`,
    security: [{ manageToken: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(operation.request !== undefined && {
      requestBody: requestBody(operation.request, examples, schemas),
    }),
    responses: responses(operation, examples, schemas),
  };
}

function responses(
  { problems, response }: ManageOperation,
  examples: Record<string, Example>,
  schemas: Record<string, unknown>,
) {
  const byStatus = new Map<number, ManageProblemCode[]>();
  for (const code of new Set(problems)) {
    const { status } = manageProblem(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const answers: Record<string, unknown> = {
    200: { description: 'Done.', headers: headers({}), content: content(response, 200, examples, schemas) },
  };
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b))
    answers[status] = {
      description: codes.map((code) => `\`${code}\`: ${manageProblem(code).message}`).join(' '),
      headers: headers(RETRIED_LATER.has(status) ? { 'Retry-After': 'Seconds to wait.' } : {}),
      content: content(ManageErrorEnvelope, status, examples, schemas),
    };
  return answers;
}
