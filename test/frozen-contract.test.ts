/** The build replaces the schemas with plain data, so that a start need not create them. Both must be equal. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import * as eventMessages from '../src/contract/event-messages.ts';
import * as manageDestinationMessages from '../src/contract/manage-destination-messages.ts';
import * as manageMessages from '../src/contract/manage-messages.ts';
import * as manageTakeBackMessages from '../src/contract/manage-take-back-messages.ts';
import * as messages from '../src/contract/messages.ts';

it.each([
  ['messages', messages],
  ['manage-messages', manageMessages],
  ['event-messages', eventMessages],
  ['manage-destination-messages', manageDestinationMessages],
  ['manage-take-back-messages', manageTakeBackMessages],
])('the %s are built as plain data, equal to the original ones', async (name, made) => {
  const { ...built } = await import(new URL(`../dist/contract/${name}.js`, import.meta.url).href);
  expect(built).toEqual(JSON.parse(JSON.stringify(made)));
  const schemas = Object.entries(made).filter(([, value]) => !Array.isArray(value));
  for (const [key, schema] of schemas)
    expect(Reflect.ownKeys(built[key]), key).toEqual(Object.keys(schema as object));
});

it('nothing that runs in production loads typebox, which is a development package', () => {
  const dist = resolve(import.meta.dirname, '../dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  );
  const loading = files.filter((file) =>
    /from '(?:typebox|\.\.?\/[^']*(?:manage-parts|-made)\.js)'/.test(readFileSync(join(dist, file), 'utf8')),
  );
  // Generator of the schemas; nothing loads it.
  const unused = /^contract\/(?:manage-parts|[\w-]*messages-made)\.js$/;
  expect(loading.filter((file) => !unused.test(file))).toEqual([]);
});
