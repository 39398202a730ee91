/** Writes dist/reference, which the service only serves: the OpenAPI document, its page with its assets, and the notices, each compressed. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { filesBelow } from './build-inputs.mjs';

const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const OUT = join(DIST, 'reference');
/** File in the folder that records its inputs. */
const STAMP = '.build-stamp';
const RENDERER = fileURLToPath(new URL('reference', import.meta.url));
/** Files of the build that it is made from: the compiled code and the notices. */
const BUILT = [STAMP, 'THIRD-PARTY.txt'].map((name) => join(DIST, name));

/** Call it after both are written. @param {(text: string) => void} say */
export async function buildReference(say) {
  const inputs = hashOf([...BUILT, ...filesBelow(RENDERER, () => true)]);
  const stamp = join(OUT, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) return;
  // Not at the top: what it imports is compiled first.
  const { renderReference } = await import('./reference/render-reference.mjs');
  const made = `${OUT}.new`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made);
  for (const { path, text } of renderReference())
    writeFileSync(join(made, `${path.replaceAll('/', '+')}.gz`), gzipSync(text));
  writeFileSync(join(made, STAMP), inputs);
  rmSync(OUT, { recursive: true, force: true });
  renameSync(made, OUT);
  say('rendered the API reference');
}

/** Files that the build wrote: paths relative to the page's folder, and texts. */
export function builtReference() {
  return readdirSync(OUT)
    .filter((name) => name !== STAMP)
    .map((name) => ({
      path: name.replaceAll('+', '/').replace(/\.gz$/, ''),
      text: gunzipSync(readFileSync(join(OUT, name))).toString(),
    }));
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}
