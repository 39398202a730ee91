/** The package as its users get it: packed, installed from the tarball into an empty folder, imported, required, type-checked, and with the examples of its documents. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import PACKAGE from '../../client/package.json' with { type: 'json' };
import { isSkipped } from '../support/missing-programs.ts';
import { findNode, type NodeBinary } from '../support/node-binary.ts';
import { packClient } from '../support/pack-client.ts';
import { type Scene, startScene } from '../support/scene.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const VERSIONS = ['18', '20.19.0', 'latest'];
const DOCUMENTS = ['client/README.md', 'docs/client.md'];
const USE = `
  const client = new Gatehouse({ key: process.env.GATEHOUSE_KEY, url: process.env.GATEHOUSE_URL, timeoutMs: 60_000 });
  client.protectSignup(new Headers({ 'x-real-ip': '203.0.113.7' }), { email: 'block@example.com', trustedProxies: 'nginx' })
    .then(({ decision, ip, error }) => console.log(decision, ip, error));`;
const FORMS = {
  import: { file: 'use.mjs', text: `import { Gatehouse } from 'gatehouse-client';${USE}` },
  require: { file: 'use.cjs', text: `const { Gatehouse } = require('gatehouse-client');${USE}` },
};
const TYPED = `
  import { type Assessment, clientIp, Gatehouse, RateLimitError, type SignupDecision } from 'gatehouse-client';
  const client = new Gatehouse({ key: 'sk_test_x', url: 'http://127.0.0.1', trustedProxies: 'cloudflare', fetch });
  export async function decide(request: Request, email: string): Promise<SignupDecision['decision']> {
    const { decision, assessment } = await client.protectSignup(request, { email });
    const plain: Assessment | null = assessment;
    if (plain?.signals.ip?.tor && assessment?.meta.quota?.used === 1) return 'block';
    const form = await request.formData();
    await client.protectSignup(request, { email: form.get('email') });
    // @ts-expect-error: nobody awaited it
    await client.protectSignup(request, { email: Promise.resolve(email) });
    // @ts-expect-error: it is a string
    const code: number = new RateLimitError('rate_limit', '').code;
    return clientIp(request.headers, { trustedProxies: 1 }) === null ? 'challenge' : code ? decision : 'allow';
  }`;

const run = promisify(execFile);
const binaries = new Map<string, NodeBinary>();
let folder: string;
let scene: Scene;
let environment: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-client-'));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const [started, tarball] = await Promise.all([startScene(), packClient(folder)]);
  scene = started;
  const quiet = ['--no-audit', '--no-fund', '--offline'];
  await run('npm', ['install', ...quiet, tarball], { cwd: folder });
  environment = { GATEHOUSE_KEY: scene.account.test, GATEHOUSE_URL: scene.service.url };
  for (const { file, text } of Object.values(FORMS)) writeFileSync(join(folder, file), text);
  for (const version of VERSIONS) {
    const found = await findNode(version);
    binaries.set(version, found);
    isSkipped('missing' in found ? `Node.js ${version}: ${found.missing}` : undefined);
  }
}, 320_000);
afterAll(async () => {
  await scene?.end();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

describe('the installed package', () => {
  it('is small, brings no other packages, and has what a package needs', () => {
    const modules = join(folder, 'node_modules');
    expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['gatehouse-client']);
    const inside = readdirSync(join(modules, 'gatehouse-client'), { recursive: true, encoding: 'utf8' });
    expect(inside).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'package.json',
        'dist/esm/index.js',
        'dist/cjs/index.d.ts',
      ]),
    );
    expect(inside.filter((file) => /\.test\.|^src/.test(file))).toEqual([]);
    expect(inside.length).toBeLessThan(130);
  });

  describe.each(VERSIONS)('on Node.js %s', (version) => {
    it.for(Object.keys(FORMS))('runs after %s', async (form, { skip }) => {
      const node = binaries.get(version) ?? { missing: 'it was not asked for' };
      if ('missing' in node) return skip(node.missing);
      const { file } = FORMS[form as keyof typeof FORMS];
      const { stdout } = await run(node.path, ['--no-warnings', file], { cwd: folder, env: environment });
      expect(stdout).toBe('block 203.0.113.7 null\n');
    });
  });

  it('has the same adapters for import and require', async () => {
    const paths = Object.keys(PACKAGE.exports).filter((path) => /^\.\/[a-z-]+$/.test(path));
    expect(paths).toEqual(expect.arrayContaining(['./express', './fastify', './hono']));
    expect(Object.keys(PACKAGE.typesVersions['*']).toSorted()).toEqual(
      paths.map((path) => path.slice(2)).toSorted(),
    );
    const script = `
      const names = ${JSON.stringify(paths.map((path) => path.replace('.', 'gatehouse-client')))};
      for (const name of names) {
        const [required, imported] = [require(name), await import(name)];
        const functions = Object.keys(imported).filter((key) => typeof imported[key] === 'function');
        console.log(functions.length > 0 && functions.every((key) => typeof required[key] === 'function'));
      }`;
    writeFileSync(
      join(folder, 'adapters.mjs'),
      `import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);${script}`,
    );
    const { stdout } = await run(process.execPath, ['adapters.mjs'], { cwd: folder });
    expect(stdout).toBe('true\n'.repeat(paths.length));
  });

  it('needs nothing of Node.js, only what every runtime has', async () => {
    const everywhere = {
      AbortController,
      TextEncoder,
      URL,
      clearTimeout,
      console,
      crypto,
      fetch,
      performance,
      setTimeout,
    };
    const context = createContext({ ...everywhere });
    const loaded = new Map<string, object>();
    const load = (file: string): object => {
      const path = join(folder, 'node_modules/gatehouse-client/dist/cjs', file);
      const exports = loaded.get(path) ?? {};
      if (loaded.has(path)) return exports;
      loaded.set(path, exports);
      const script = `(function (exports, require) {${readFileSync(path, 'utf8')}\n})`;
      runInContext(script, context)(exports, load);
      return exports;
    };
    const { Gatehouse } = load('index.js') as typeof import('../../client/src/index.ts');
    const { GATEHOUSE_KEY: key = '', GATEHOUSE_URL: url = '' } = environment;
    const client = new Gatehouse({ key, url, timeoutMs: 60_000, trustedProxies: 'fly' });
    const headers = new Headers({ 'fly-client-ip': '2001:DB8::7' });
    const decided = await client.protectSignup(headers, { email: 'challenge@example.com' });
    expect(decided).toMatchObject({ decision: 'challenge', ip: '2001:db8::7', error: null });
    expect(runInContext('typeof process + typeof Buffer + typeof require', context)).toBe(
      'undefined'.repeat(3),
    );
  });

  it.each([
    ['an ES module, with the types of browsers', 'typed.mts', ['--lib', 'es2022,dom']],
    ['a CommonJS module, with those of Node.js', 'typed.cts', ['--lib', 'es2022', '--types', 'node']],
  ])('has types for %s', async (_form, file, options) => {
    writeFileSync(join(folder, file), TYPED);
    const types = join(folder, 'types');
    mkdirSync(types, { recursive: true });
    for (const name of ['@types/node', 'undici-types'])
      cpSync(join(ROOT, 'node_modules', name), join(types, name.replace('@types/', '')), { recursive: true });
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const strict = [
      '--noEmit',
      '--strict',
      // Checking the compiler's own declarations takes as long as everything else.
      '--skipDefaultLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--typeRoots',
      types,
    ];
    const compiled = run(process.execPath, [compiler, ...strict, ...options, file], { cwd: folder });
    expect(await compiled.catch(({ stdout }: { stdout: string }) => stdout)).toEqual({
      stdout: '',
      stderr: '',
    });
  });
});

describe.each(DOCUMENTS)('the examples of %s', (document) => {
  const blocks = [...readFileSync(join(ROOT, document), 'utf8').matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(
    ([, text = '']) => text,
  );

  it('run', async () => {
    expect(blocks.length).toBeGreaterThan(0);
    for (const [at, text] of blocks.entries()) {
      const name = `${document.replaceAll(/\W/g, '-')}-${at}`;
      writeFileSync(join(folder, `${name}.mjs`), text);
      writeFileSync(join(folder, `${name}-run.mjs`), runOf(name));
      const { stdout } = await run(process.execPath, [`${name}-run.mjs`], { cwd: folder, env: environment });
      if (/export async function signup/.test(text)) expect(stdout.trim(), text).toBe('403 202 201');
    }
  });
});

/** Loads an example; if it exports a form, sends it one signup of each kind. */
function runOf(name: string): string {
  return `
    const { signup } = await import(${JSON.stringify(pathToFileURL(join(folder, `${name}.mjs`)).href)});
    const send = async (name) => {
      const body = JSON.stringify({ email: name + '@example.com' });
      return (await signup(new Request('https://app.example/signup', { method: 'POST', body }))).status;
    };
    if (signup) console.log(await send('block'), await send('challenge'), await send('allow'));`;
}
