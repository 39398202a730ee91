/** The build replaces the schemas by plain data, so that a start need not make them: they must be the same. */
import { expect, it } from 'vitest';
import * as manageMessages from '../src/contract/manage-messages.ts';
import * as messages from '../src/contract/messages.ts';

it.each([
  ['messages', messages],
  ['manage-messages', manageMessages],
])('the %s are built as plain data, the same as they are made', async (name, made) => {
  const { ...built } = await import(new URL(`../dist/contract/${name}.js`, import.meta.url).href);
  expect(built).toEqual(JSON.parse(JSON.stringify(made)));
  const schemas = Object.entries(made).filter(([, value]) => !Array.isArray(value));
  for (const [key, schema] of schemas)
    expect(Reflect.ownKeys(built[key]), key).toEqual(Object.keys(schema as object));
});
