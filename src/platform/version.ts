/** Tells which version of Gatehouse this is: the one in package.json. */
import { readFileSync } from 'node:fs';

const PACKAGE = new URL('../../package.json', import.meta.url);

export function readVersion(): string {
  return (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version;
}
