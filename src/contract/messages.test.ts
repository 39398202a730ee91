import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import * as messages from './messages.ts';

const schemas = Object.entries(messages).filter(([, value]) => !Array.isArray(value));

describe('the messages', () => {
  it.each(schemas)('%s is a JSON schema', (_name, schema) => {
    const ajv = new Ajv({ strict: false });
    expect(ajv.validateSchema(schema as object), ajv.errorsText()).toBe(true);
    expect(ajv.validateSchema({ ...schema, required: 'email' })).toBe(false);
  });
});
