// Compares the committed openapi.json and the table in docs/scoring.md with the code; `--write` updates both.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { RULES } from '../dist/signup/policy.js';

const command = new URL('../bin/gatehouse.js', import.meta.url);
const openapi = execFileSync(process.execPath, [command.pathname, 'openapi'], { encoding: 'utf8' });
const rows = RULES.map(
  ({ detector, code, weight, rationale }) => `| \`${detector}\` | \`${code}\` | ${weight} | ${rationale} |\n`,
);

compare('openapi.json', () => openapi);
compare('docs/scoring.md', (text) =>
  text.replace(/(\| Detector \| Reason .*\n\|.*\n)(?:\|.*\n)*/, (_, head) => head + rows.join('')),
);

function compare(name, toCurrent) {
  const file = new URL(`../${name}`, import.meta.url);
  const text = readFileSync(file, 'utf8');
  const current = toCurrent(text);
  if (text === current) return;
  if (process.argv.includes('--write')) return writeFileSync(file, current);
  process.stderr.write(`${name} differs from the code: run \`npm run openapi\`\n`);
  process.exitCode = 1;
}
