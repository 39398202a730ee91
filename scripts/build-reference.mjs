/** Writes dist/reference: the OpenAPI document, its page and what the page needs, and the notices, each also compressed. Rendering them took a twentieth of a start. */
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const OUT = join(DIST, 'reference');
/** What it is rendered from: the code was compiled, or the notices were written. */
const INPUTS = ['.build-stamp', 'THIRD-PARTY.txt'].map((name) => join(DIST, name));

/** Call it after both. @param {(text: string) => void} say */
export async function buildReference(say) {
  if (Math.max(...INPUTS.map(writtenAt)) <= writtenAt(OUT)) return;
  const { renderReference } = await import(pathToFileURL(join(DIST, 'http/docs/reference.js')).href);
  const made = `${OUT}.new`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made);
  for (const { path, text } of renderReference()) {
    const name = join(made, path.replaceAll('/', '+'));
    writeFileSync(name, text);
    writeFileSync(`${name}.gz`, gzipSync(text));
  }
  rmSync(OUT, { recursive: true, force: true });
  renameSync(made, OUT);
  say('rendered the API reference');
}

/** Milliseconds since the epoch; 0 if it does not exist. */
function writtenAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
