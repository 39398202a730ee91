/** Writes the plugin for WordPress, with the PHP client that it needs, to a folder named `gatehouse`. */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from './read-options.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const { positionals } = readOptions(
  'node scripts/wordpress-plugin.mjs [folder]\n  writes the plugin to the folder gatehouse in this one, replacing what is there; default: dist-package',
  { words: 1 },
);
const folder = join(resolve(positionals[0] ?? join(ROOT, 'dist-package')), 'gatehouse');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
cpSync(join(ROOT, 'clients/wordpress/gatehouse'), folder, { recursive: true });
cpSync(join(ROOT, 'clients/php/src'), join(folder, 'client'), {
  recursive: true,
  filter: (path) => !path.endsWith('Laravel'),
});
cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
process.stdout.write(`${folder}\n`);
