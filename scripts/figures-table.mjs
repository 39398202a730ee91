// Reads and writes the tables of measured figures in documents, and describes the machine.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';

const PAGES = {
  figures: 'docs/reliability.md',
  attacks: 'docs/attacks.md',
  'performance-summary': 'docs/performance.md',
  performance: 'docs/performance.md',
  latency: 'docs/performance.md',
  alternatives: 'docs/performance.md',
  'waves-run': 'docs/waves.md',
  waves: 'docs/waves.md',
  'wave-crowds': 'docs/waves.md',
  'wave-everyday': 'docs/waves.md',
  'waves-live': 'docs/waves.md',
};
const pageOf = (name) => resolve(import.meta.dirname, '..', PAGES[name]);
const betweenMarks = (name) => new RegExp(`(<!-- ${name} -->\n)([\\s\\S]*)(<!-- end of ${name} -->)`);

/** @param name of `PAGES`. Returns the text between the marks `<!-- name -->` and `<!-- end of name -->`. */
export function readTable(name) {
  return betweenMarks(name).exec(readFileSync(pageOf(name), 'utf8'))?.[2] ?? '';
}

export function writeTable(name, text) {
  const document = readFileSync(pageOf(name), 'utf8');
  writeFileSync(
    pageOf(name),
    document.replace(betweenMarks(name), (_all, begin, _old, end) => begin + text + end),
  );
}

export function measuredOn() {
  const day = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} cores (${cpus()[0].model.trim()}), Node.js ${process.version}`;
  return `Measured on ${day}: ${machine}, everything on this one machine.`;
}
