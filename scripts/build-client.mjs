/** Builds client/ as ES modules and as CommonJS, each with its types: the compiler runs twice. */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLIENT = join(ROOT, 'client');
const DIST = join(CLIENT, 'dist');
const COMPILER = createRequire(import.meta.url).resolve('typescript/bin/tsc');
// biome-ignore format: an option with its value a line
const COMMON = [
  '-p', CLIENT,
  '--noEmit', 'false',
  '--noEmitOnError',
  '--declaration',
  '--incremental', 'false',
  '--allowImportingTsExtensions', 'false',
  '--rewriteRelativeImportExtensions',
  '--rootDir', join(CLIENT, 'src'),
];
/** Node.js needs file extensions in imports; `bundler` allows CommonJS output from the same files. */
const FORMS = {
  esm: { type: 'module', options: ['--module', 'nodenext'] },
  cjs: {
    type: 'commonjs',
    options: ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'],
  },
};

try {
  rmSync(DIST, { recursive: true, force: true });
  await Promise.all(Object.entries(FORMS).map(([name, form]) => buildForm(join(DIST, name), form)));
  copyFileSync(join(ROOT, 'LICENSE'), join(CLIENT, 'LICENSE'));
} catch (error) {
  process.stderr.write(`build: ${error.message}\n`);
  process.exitCode = 1;
}

async function buildForm(folder, { type, options }) {
  await compile([...COMMON, ...options, '--outDir', folder]);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ type })}\n`);
  // The compiler keeps the extensions of the sources in declarations.
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.d.ts'),
  )) {
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(join(folder, file), text.replace(/(from '\.{1,2}\/[^']+)\.ts'/g, "$1.js'"));
  }
}

function compile(args) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [COMPILER, ...args], { cwd: ROOT, stdio: ['ignore', 2, 2] });
    child.once('error', fail);
    child.once('exit', (status) => {
      if (status === 0) done();
      else fail(new Error('the TypeScript compiler found errors in client/'));
    });
  });
}
