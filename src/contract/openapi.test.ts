/** Checks the OpenAPI document against its own schemas, and for what tools expect of a published document. */
import Schema from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { buildOpenApi } from './openapi.ts';

interface Media {
  readonly schema: object;
  readonly examples?: Record<string, { value: unknown }>;
}
interface Body {
  readonly content: { readonly 'application/json': Media };
}
interface Described {
  readonly operationId: string;
  readonly description: string;
  readonly tags: string[];
  readonly requestBody?: Body;
  readonly responses: Record<string, Body>;
}

const document = JSON.parse(JSON.stringify(buildOpenApi())) as {
  info: { description: string; contact: { name: string } };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<string, { post: Described }>;
  components: object;
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

function faultsOf({ schema, examples = {} }: Media): unknown[] {
  return Object.entries(examples).flatMap(([name, { value }]) =>
    Schema.Errors({ components: document.components, ...schema }, value)[1].map((fault) => ({ name, fault })),
  );
}

describe('the OpenAPI document', () => {
  it.each(operations)('every example of $operationId fits its schema', ({ requestBody, responses }) => {
    const media = [requestBody, ...Object.values(responses)].map((body) => body?.content['application/json']);
    for (const each of media) if (each !== undefined) expect(faultsOf(each)).toEqual([]);
    expect(media.some((each) => each?.examples !== undefined)).toBe(true);
    const [first] = media.filter((each) => each !== undefined);
    expect(faultsOf({ ...(first as Media), examples: { wrong: { value: 7 } } })).not.toEqual([]);
  });

  it('says what it is for, where to get help, and what each group of operations does', () => {
    expect(document.info.description).toMatch(/^\S.{50,}\.$/);
    expect(document.info.contact.name).toMatch(/\S/);
    const tags = document.tags.map(({ name }) => name);
    expect(document.tags.every(({ description }) => /\.$/.test(description))).toBe(true);
    const all = [...operations, ...Object.values(document.webhooks).map(({ post }) => post)];
    expect([...new Set(all.flatMap((operation) => operation.tags))].toSorted()).toEqual(tags.toSorted());
    expect(all.every((operation) => operation.tags.length === 1)).toBe(true);
  });
});
