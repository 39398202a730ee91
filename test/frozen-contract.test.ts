/** The build replaces the schemas by plain data, so that a start need not make them: they must be the same. */
import { expect, it } from 'vitest';
import * as messages from '../src/contract/messages.ts';

const BUILT = new URL('../dist/contract/messages.js', import.meta.url);
const schemas = Object.entries(messages).filter(([, value]) => !Array.isArray(value));

it('the messages are built as plain data, the same as they are made', async () => {
  const { ...built } = await import(BUILT.href);
  expect(built).toEqual(JSON.parse(JSON.stringify(messages)));
  for (const [name, schema] of schemas)
    expect(Reflect.ownKeys(built[name]), name).toEqual(Object.keys(schema));
});
