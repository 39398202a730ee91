// Builds the documents as a static site in site/dist: copies the pages and the API reference that the build rendered, and runs the generator.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { filesBelow } from './build-inputs.mjs';
import { builtReference } from './build-reference.mjs';
import { readOptions } from './read-options.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const SITE = join(ROOT, 'site');
const PAGES = join(SITE, 'pages');
const PUBLIC = join(SITE, 'public');
const GENERATOR = join(SITE, 'node_modules/vitepress/bin/vitepress.js');
/** Pages outside docs. */
const OTHER_PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'STYLE.md',
  'client/README.md',
  'clients/README.md',
  'clients/python/README.md',
  'clients/go/README.md',
  'clients/php/README.md',
  'clients/ruby/README.md',
  'clients/keycloak/README.md',
  'dashboard/README.md',
];

const { values: options } = readOptions(
  'node scripts/build-site.mjs [options]\n' +
    '  builds the documents as a static site in site/dist\n' +
    '  --base /PATH/   the folder of the host where the site will be; default: /\n' +
    '  --serve         then serves it on http://localhost:4173',
  { options: { base: { type: 'string', default: '/' }, serve: { type: 'boolean', default: false } } },
);

run(process.execPath, [join(ROOT, 'scripts/build.mjs')]);
copyPages();
copyReference();
if (!existsSync(GENERATOR)) run('npm', ['ci', '--ignore-scripts']);
run(process.execPath, [GENERATOR, 'build', '.']);
if (options.serve) run(process.execPath, [GENERATOR, 'preview', '.']);

function copyPages() {
  const images = filesBelow(join(ROOT, 'docs/images'), () => true);
  const documents = filesBelow(join(ROOT, 'docs'), (name) => name.endsWith('.md'));
  rmSync(PAGES, { recursive: true, force: true });
  for (const file of [...documents, ...images, ...OTHER_PAGES.map((page) => join(ROOT, page))]) {
    const target = join(PAGES, file.slice(ROOT.length + 1));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(file, basename(file) === 'README.md' ? join(dirname(target), 'index.md') : target);
  }
}

function copyReference() {
  rmSync(PUBLIC, { recursive: true, force: true });
  for (const { path, text } of builtReference()) {
    // A static host derives the type from the file name, so the page becomes the folder's index.
    const name = path === 'docs' ? 'index.html' : path;
    const file = join(PUBLIC, 'reference', name === 'notices' ? 'notices.txt' : name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.replaceAll('href="notices"', 'href="notices.txt"'));
  }
  cpSync(join(PUBLIC, 'reference/docs/icon.svg'), join(PUBLIC, 'icon.svg'));
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: SITE,
    stdio: 'inherit',
    env: { ...process.env, SITE_BASE: options.base },
  });
  if (status === 0) return;
  process.stderr.write(`site: ${error?.message ?? `${command} ended with status ${status}`}\n`);
  process.exit(1);
}
