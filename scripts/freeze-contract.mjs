/**
 * Writes the schemas of the contract as plain data: typebox makes the same data at every start, and loading its 373 modules took a sixth of the start.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

/** Files of schemas are called so. */
const SCHEMAS = /messages\.js$/;

/** In `folder`, after the compiler: each file contains its exports as data and no longer computes them. */
export async function freezeContract(folder) {
  const names = readdirSync(folder).filter((name) => SCHEMAS.test(name));
  // The other contracts share parts with the first, `messages`.
  for (const name of names.sort((a, b) => a.length - b.length))
    await freeze(folder, name.slice(0, -'.js'.length));
}

async function freeze(folder, name) {
  const frozen = join(folder, `${name}.js`);
  const made = join(folder, `${name}-made.js`);
  // The compiler skips unchanged files. Then this file is frozen already, or an earlier build was interrupted here.
  if (existsSync(frozen) && readFileSync(frozen, 'utf8').includes("from 'typebox'")) renameSync(frozen, made);
  const exported = Object.entries(await import(pathToFileURL(made).href));
  writeFileSync(
    frozen,
    exported.map(([key, value]) => `export const ${key} = ${toText(name, key, value)};\n`).join(''),
  );
  rmSync(`${frozen}.map`, { force: true });
}

function toText(file, name, value) {
  const text = JSON.stringify(value);
  if (text === undefined || !isDeepStrictEqual(JSON.parse(text), value))
    throw new Error(`${name} in src/contract/${file}.ts is not plain data`);
  return text;
}
