/** The served OpenAPI document: its description of the contract, and every example in it replayed with the service. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Assessment } from '../../src/contract/messages.ts';
import { type Examples, readExamples } from '../../src/contract/openapi.ts';
import type { Example } from '../../src/contract/openapi-parts.ts';
import { OPERATIONS, type OperationId } from '../../src/contract/operations.ts';
import { PROBLEMS } from '../../src/contract/problem.ts';
import { REASON_CODES } from '../../src/contract/reasons.ts';
import type { Answer } from '../support/client.ts';
import { schemaCheck } from '../support/expectations.ts';
import { plant, plantKey } from '../support/plant.ts';
import { type Scene, startScene } from '../support/scene.ts';

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: { $ref: string }; examples?: Shown } };
  readonly headers?: Record<string, unknown>;
}
type Shown = Record<string, { summary: string; 'x-key': string; 'x-request'?: object; value: object }>;
interface Described {
  readonly operationId: string;
  readonly requestBody?: Content;
  readonly responses: Record<string, Content>;
}
interface Document {
  readonly openapi: string;
  readonly info: { version: string };
  readonly paths: Record<string, Record<string, Described>>;
  readonly components: { schemas: Record<string, { properties: Record<string, { enum?: string[] }> }> };
}

/** Parts that differ in every answer. */
const OF_THE_MOMENT = [
  'url',
  'request_id',
  'assessed_at',
  'processed_ms',
  'period_start',
  'period_end',
  'reset_at',
  'challenge',
  'redeemed_at',
  'expires_at',
];
/** Clients rely on them: later codes are not added here, and none of these is ever removed. */
const RELEASED_REASONS = [
  'email_alias',
  'email_consumer_provider',
  'email_deliverability',
  'email_disposable',
  'email_domain_new',
  'email_relay',
  'email_reputation',
  'email_role_account',
  'ip_anonymizer',
  'ip_hosting',
  'ip_reputation',
  'velocity_domain',
  'velocity_ip',
];
const EXAMPLES = readExamples();
const METERED = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Quota-Used',
  'X-Quota-Limit',
];

let scene: Scene;
let document: Document;
let text: string;
let keys: Record<Example['key'], string | null>;
beforeAll(async () => {
  let [live, revoked, overRate, overQuota] = ['', '', '', ''];
  scene = await startScene({
    account: { plan: 'starter' },
    environment: { GATEHOUSE_CHALLENGE_MINUTES: '30' },
    async prepare(installation) {
      const other = await plant(installation, { monthlyQuota: 0 });
      overQuota = other.live;
      live = (await plant(installation)).live;
      revoked = await plantKey(installation, other.id, 'live', { revokedAt: Date.now() });
      overRate = (await plant(installation, { plan: 'free' })).test;
    },
  });
  keys = {
    live,
    sandbox: scene.account.test,
    none: null,
    revoked,
    over_rate: overRate,
    over_quota: overQuota,
    token: null,
  };
  const answer = await scene.live.send<Document>({ path: '/openapi.json', key: null });
  ({ text, json: document } = answer);
});
afterAll(() => scene?.end());

const described = (id: OperationId) => {
  const { path, method } = OPERATIONS[id];
  return document.paths[path]?.[method.toLowerCase()] as Described;
};

describe('the document', () => {
  it('is the committed openapi.json', () => {
    expect(text).toBe(readFileSync(resolve(import.meta.dirname, '../../openapi.json'), 'utf8'));
  });

  it('describes version 1.0.0 with its four operations and the later one, in OpenAPI 3.1', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe('1.0.0');
    const paths = Object.entries(document.paths).filter(([path]) => !path.startsWith('/v1/manage/'));
    const found = paths.flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
    );
    expect(found.toSorted()).toEqual([
      'assessSignup post /v1/assess',
      'createAppealLink post /v1/appeals',
      'getAssessment get /v1/assess/{request_id}',
      'getUsage get /v1/usage',
      'redeemChallenge post /v1/challenges',
      'reportOutcome post /v1/outcomes',
      'submitFeedback post /v1/feedback',
    ]);
  });

  it('has every reason code, and still those of version 1.0.0', () => {
    const codes = document.components.schemas.Reason?.properties.code?.enum ?? [];
    expect(codes.toSorted()).toEqual(REASON_CODES.toSorted());
    expect(codes).toEqual(expect.arrayContaining(RELEASED_REASONS));
  });

  it.each(['assessSignup', 'getAssessment', 'getUsage'] as const)(
    'names the headers of a 200 of %s',
    (id) => {
      expect(Object.keys(described(id).responses['200']?.headers ?? {})).toEqual(
        expect.arrayContaining(METERED),
      );
    },
  );

  it.each(Object.values(OPERATIONS).map(({ id, problems }) => ({ id, problems })))(
    'names every error of $id',
    ({ id, problems }) => {
      for (const code of problems) {
        const response = described(id).responses[PROBLEMS[code].status];
        expect(JSON.stringify(response)).toContain(`\`${code}\``);
      }
    },
  );

  it.each(Object.keys(OPERATIONS) as OperationId[])(
    'shows exactly the examples that are replayed for %s',
    (id) => {
      const { requestBody, responses } = described(id);
      const examples = Object.entries(EXAMPLES[id]);
      expect(requestBody?.content['application/json'].examples ?? {}).toEqual(
        shown(
          examples.filter(([, { body, status }]) => body !== undefined && status === 200),
          ({ body }) => ({ value: body as object }),
        ),
      );
      for (const [status, { content }] of Object.entries(responses)) {
        expect(content['application/json'].examples ?? {}, status).toEqual(
          shown(
            examples.filter(([, example]) => example.status === Number(status)),
            ({ answer, body }) =>
              body === undefined || status === '200'
                ? { value: answer }
                : { 'x-request': body, value: answer },
          ),
        );
      }
      expect(examples.every(([, { status }]) => status in responses)).toBe(true);
    },
  );
});

function shown(
  examples: [string, Example][],
  partOf: (example: Example) => Pick<Shown[string], 'x-request' | 'value'>,
): Shown {
  return Object.fromEntries(
    examples.map(([name, example]) => [
      name,
      { summary: example.summary, 'x-key': example.key, ...partOf(example) },
    ]),
  );
}

describe.each(Object.keys(EXAMPLES) as OperationId[])('the example of %s', (id) => {
  it.each(Object.keys(EXAMPLES[id]))('“%s” is what the service answers', async (name) => {
    const example = (EXAMPLES as Examples)[id][name] as Example;
    const answer = await replay(id, example);
    expect(answer.status).toBe(example.status);
    expect(Object.keys(answer.json).toSorted()).toEqual(Object.keys(example.answer).toSorted());
    expect(lasting(answer.json)).toEqual(lasting(example.answer));
    const { $ref } = (described(id).responses[example.status] as Content).content['application/json'].schema;
    const faultsOf = schemaCheck(document);
    expect(faultsOf($ref.split('/').at(-1) as string, answer.json)).toEqual([]);
    expect(faultsOf($ref.split('/').at(-1) as string, example.answer)).toEqual([]);
  });
});

/** Sends an example's request, after whatever has to happen first. */
async function replay(id: OperationId, example: Example): Promise<Answer> {
  const { method, path } = OPERATIONS[id];
  const key = keys[example.key];
  if (example.key === 'over_rate') {
    await Promise.all(
      Array.from({ length: 15 }, () => scene.live.assess({ email: 'allow@example.com' }, key)),
    );
  }
  const made = example.after === undefined ? undefined : (await scene.live.assess(example.after, key)).json;
  const body = made === undefined || example.body === undefined ? example.body : about(made, example.body);
  const requestId = made?.request_id ?? example.request_id ?? '';
  return scene.live.send({ method, path: path.replace('{request_id}', requestId), key, body });
}

/** The body of an example, about an assessment that was just made. */
function about({ request_id, challenge }: Assessment, body: object): object {
  if ('token' in body) return { ...body, token: challenge?.token };
  return JSON.parse(JSON.stringify(body).replaceAll(/req_[0-9a-z]{26}/g, request_id)) as object;
}

function lasting(answer: object): object {
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !OF_THE_MOMENT.includes(name)));
}
