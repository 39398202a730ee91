/** Copies ALTCHA's widget, its style and its worker from the package to dist/challenge-widget, which the service only serves. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { missingPackages, requireBuilt, versionOf } from './build-inputs.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist', 'challenge-widget');
const STAMP = join(OUT, '.version');
/** The form of the widget for a strict content policy: its style and its worker are files of their own. */
const FILES = {
  'altcha.js': 'external/altcha.min.js',
  'altcha.css': 'external/altcha.css',
  'pbkdf2.js': 'workers/pbkdf2.js',
};
export const WIDGET_PACKAGE = 'altcha';

/** @param {(text: string) => void} say */
export function buildWidget(say) {
  const built = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';
  const missing = missingPackages(ROOT, [WIDGET_PACKAGE]);
  if (missing.length > 0) {
    requireBuilt({ output: STAMP, outputName: 'dist/challenge-widget', built, inputs: [], missing });
    return;
  }
  const version = versionOf(ROOT, WIDGET_PACKAGE);
  const record = `${WIDGET_PACKAGE}\t${version}\n`;
  if (built === record) return;
  mkdirSync(OUT, { recursive: true });
  for (const [name, path] of Object.entries(FILES))
    copyFileSync(join(ROOT, 'node_modules', WIDGET_PACKAGE, 'dist', path), join(OUT, name));
  writeFileSync(STAMP, record);
  say(`copied the widget of the challenge page (altcha ${version})`);
}
