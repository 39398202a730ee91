/** Packages of tools/packages for tests: installed when the first test asks for one of them. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installTools } from '../../tools/install-tools.mjs';

/** The package's exports. Its types are not installed with the repository's, so the caller says what it uses of them. */
export async function importTool<Exports>(name: string): Promise<Exports> {
  return createRequire(join(await installTools(), 'package.json'))(name) as Exports;
}
