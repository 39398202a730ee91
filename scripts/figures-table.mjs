// Decides where measured figures stand in docs/reliability.md, and what is told of the machine they were measured on.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';

const DOCUMENT = resolve(import.meta.dirname, '../docs/reliability.md');
const betweenMarks = (name) => new RegExp(`(<!-- ${name} -->\n)([\\s\\S]*)(<!-- end of ${name} -->)`);

/** What stands between the marks `<!-- name -->` and `<!-- end of name -->`. */
export function readTable(name) {
  return betweenMarks(name).exec(readFileSync(DOCUMENT, 'utf8'))?.[2] ?? '';
}

export function writeTable(name, text) {
  const document = readFileSync(DOCUMENT, 'utf8');
  writeFileSync(
    DOCUMENT,
    document.replace(betweenMarks(name), (_all, begin, _old, end) => begin + text + end),
  );
}

export function measuredOn() {
  const day = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} cores (${cpus()[0].model.trim()}), Node.js ${process.version}`;
  return `Measured on ${day}: ${machine}, everything on this one machine.`;
}
