/** The build replaces the schemas with plain data, so that a start need not create them. Both must be equal. */
import { expect, it } from 'vitest';
import * as eventMessages from '../src/contract/event-messages.ts';
import * as manageDestinationMessages from '../src/contract/manage-destination-messages.ts';
import * as manageMessages from '../src/contract/manage-messages.ts';
import * as messages from '../src/contract/messages.ts';

it.each([
  ['messages', messages],
  ['manage-messages', manageMessages],
  ['event-messages', eventMessages],
  ['manage-destination-messages', manageDestinationMessages],
])('the %s are built as plain data, equal to the original ones', async (name, made) => {
  const { ...built } = await import(new URL(`../dist/contract/${name}.js`, import.meta.url).href);
  expect(built).toEqual(JSON.parse(JSON.stringify(made)));
  const schemas = Object.entries(made).filter(([, value]) => !Array.isArray(value));
  for (const [key, schema] of schemas)
    expect(Reflect.ownKeys(built[key]), key).toEqual(Object.keys(schema as object));
});
