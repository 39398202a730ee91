/** The options of Node.js that `npm start` passes: everybody who starts the service is to get the same. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './command.ts';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: { start: string };
};

export const START_OPTIONS: readonly string[] = optionsOf(scripts.start.split(' '));

/** Words of a command line. */
export function optionsOf(words: readonly string[]): string[] {
  return words.filter((word) => word.startsWith('--'));
}
