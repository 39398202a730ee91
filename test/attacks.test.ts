/** Every attack describes itself, and docs/attacks.md has its row. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'bench/attacks');
const document = readFileSync(join(ROOT, 'docs/attacks.md'), 'utf8');
const names = readdirSync(FOLDER).map((file) => file.replace(/\.mjs$/, ''));

interface Attack {
  readonly what: string;
  readonly before: string;
  readonly run: () => Promise<unknown>;
}

it.each(names)('%s is an attack with a row of figures', async (name) => {
  const { attack } = (await import(join(FOLDER, `${name}.mjs`))) as { attack: Attack };
  expect(attack.run).toBeTypeOf('function');
  const row = document.split('\n').find((line) => line.endsWith(`| \`npm run attacks -- ${name}\` |`));
  expect(row, `npm run attacks -- ${name} --write`).toBeDefined();
  expect(row?.startsWith(`| ${attack.what} | `)).toBe(true);
  expect(attack.before).not.toBe('');
});
