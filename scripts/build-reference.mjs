/** Writes dist/reference: the OpenAPI document, its page with its assets, and the notices, each also compressed. Rendering them at start took 5% of the start time. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const OUT = join(DIST, 'reference');
/** File in the folder that records its inputs. */
const STAMP = '.build-stamp';
/** Its inputs: the compiled code and the notices. */
const INPUTS = [STAMP, 'THIRD-PARTY.txt'].map((name) => join(DIST, name));

/** Call it after both are written. @param {(text: string) => void} say */
export async function buildReference(say) {
  const inputs = hashOf(INPUTS);
  const stamp = join(OUT, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) return;
  const { renderReference } = await import(pathToFileURL(join(DIST, 'http/docs/reference.js')).href);
  const made = `${OUT}.new`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made);
  for (const { path, text } of renderReference()) {
    const name = join(made, path.replaceAll('/', '+'));
    writeFileSync(name, text);
    writeFileSync(`${name}.gz`, gzipSync(text));
  }
  writeFileSync(join(made, STAMP), inputs);
  rmSync(OUT, { recursive: true, force: true });
  renameSync(made, OUT);
  say('rendered the API reference');
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}
