// Compares the committed openapi.json with what the contract says; `--write` brings it up to date.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../openapi.json', import.meta.url);
const command = new URL('../bin/gatehouse.js', import.meta.url);
const built = execFileSync(process.execPath, [command.pathname, 'openapi'], { encoding: 'utf8' });

if (process.argv.includes('--write')) {
  writeFileSync(file, built);
} else if (readFileSync(file, 'utf8') !== built) {
  process.stderr.write('openapi.json differs from the contract: run `npm run openapi`\n');
  process.exitCode = 1;
}
