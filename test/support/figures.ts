/** Prints the measured cost of a fault in the form that `npm run reliability` reads. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const DOCUMENT = resolve(import.meta.dirname, '../../docs/reliability.md');

/** @throws if docs/reliability.md has no row for it; the number there is from a quiet machine */
export function figure(fault: string, name: string, value: number): void {
  process.stdout.write(`figure: ${fault} ${name} ${Math.round(value)}\n`);
  if (process.env.GATEHOUSE_NEW_FIGURES !== undefined) return;
  if (!readFileSync(DOCUMENT, 'utf8').includes(`| ${fault} | ${name} |`))
    throw new Error(`docs/reliability.md has no figure ${name} of ${fault}: npm run reliability -- --write`);
}
