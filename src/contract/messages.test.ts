import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import * as messages from './messages.ts';

const schemas = Object.entries(messages).filter(([, value]) => !Array.isArray(value));

/** Shared by all tests: it first compiles the schema of schemas. */
const ajv = new Ajv({ strict: false });

describe('the messages', () => {
  it.each(schemas)('%s is a JSON schema', (_name, schema) => {
    expect(ajv.validateSchema(schema as object), ajv.errorsText()).toBe(true);
    expect(ajv.validateSchema({ ...schema, required: 'email' })).toBe(false);
  });
});
