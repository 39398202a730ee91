import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import * as messages from './messages.ts';

const BUILT = new URL('../../dist/contract/messages.js', import.meta.url);
const schemas = Object.entries(messages).filter(([, value]) => !Array.isArray(value));

describe('the messages', () => {
  it.each(schemas)('%s is a JSON schema', (_name, schema) => {
    const ajv = new Ajv({ strict: false });
    expect(ajv.validateSchema(schema as object), ajv.errorsText()).toBe(true);
    expect(ajv.validateSchema({ ...schema, required: 'email' })).toBe(false);
  });

  it('are built as plain data, the same as they are made', async () => {
    const { ...built } = await import(BUILT.href);
    expect(built).toEqual(JSON.parse(JSON.stringify(messages)));
    for (const [name, schema] of schemas)
      expect(Reflect.ownKeys(built[name]), name).toEqual(Object.keys(schema));
  });
});
