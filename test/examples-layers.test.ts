/** Checks the structure of the examples and snippets: their lockfiles, that each is tested, and that it is the source of every code block on its page. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import SERVICE from '../package.json' with { type: 'json' };

interface Lock {
  readonly packages: Record<string, { readonly resolved?: string; readonly integrity?: string }>;
}

const ROOT = resolve(import.meta.dirname, '..');
const CLIENT = 'node_modules/gatehouse-client';
const NOT_OURS = /(?:^|\/)(?:node_modules|\.next|\.nuxt|\.output|\.react-router|\.svelte-kit|build|dist)\//;
const CODE_BLOCK = /^```(?:[jt]sx?|html|vue|svelte|astro|python|ruby|php|java)\n([\s\S]*?)^```$/gm;
const CODE_FILE = /\.(?:[cm]?[jt]sx?|astro|html|svelte|vue|py|rb|php|java)$/;
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const examples = readdirSync(join(ROOT, 'examples')).filter(
  (name) => name !== 'snippets' && existsSync(join(ROOT, 'examples', name, 'package.json')),
);
const snippets = readdirSync(join(ROOT, 'examples/snippets'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
  .map(({ name }) => name);
/** Applications in other languages, with our package for their framework: test/clients runs them. */
const FRAMEWORKS = ['django', 'laravel', 'rails', 'wordpress'];
const pages = readdirSync(join(ROOT, 'docs')).flatMap((file) => /^protect-(.+)\.md$/.exec(file)?.[1] ?? []);

describe('the examples', () => {
  it('have one page each, and are not workspaces', () => {
    expect(examples).toContain('express');
    // Keycloak's provider is a jar.
    expect(pages.toSorted()).toEqual([...examples, ...snippets, 'keycloak'].toSorted());
    expect(SERVICE.workspaces.filter((folder) => folder.startsWith('examples'))).toEqual([]);
  });

  it('are run by the tests of CI', () => {
    expect(read('scripts/test-all.mjs')).toContain('vitest.examples.config.ts');
    expect(read('.ci/run')).toMatch(/^npm run test:all\b/m);
  });
});

describe.each(examples)('examples/%s', (name) => {
  const folder = `examples/${name}`;

  it('is found and tested', () => {
    expect(existsSync(join(ROOT, folder, 'README.md'))).toBe(true);
    expect(read('examples/README.md')).toContain(`| [${name}](${name}/README.md) |`);
    expect(read('examples/test/signup-forms.test.ts')).toContain(`name: '${name}'`);
  });

  it('has a lockfile without a registry, which accepts any build of the client', () => checkLockfile(folder));

  it('contains every code block of its page', () => checkCodeBlocks(name, folder));
});

describe('examples/snippets', () => {
  it('has a lockfile without a registry, which accepts any build of the client', () =>
    checkLockfile('examples/snippets'));

  it.each(snippets)('has %s, which is tested and contains every code block of its page', (name) => {
    expect(read('examples/snippets/README.md')).toContain(`| [${name}](${name}/`);
    const isFramework = FRAMEWORKS.includes(name);
    const test = isFramework ? `test/clients/${name}.test.ts` : 'examples/test/snippets.test.ts';
    expect(read(test)).toContain(isFramework ? `examples/snippets/${name}` : `'${name}'`);
    checkCodeBlocks(name, `examples/snippets/${name}`);
  });
});

function checkLockfile(folder: string): void {
  expect(read(`${folder}/.npmrc`)).toContain('omit-lockfile-registry-resolved=true');
  const { packages } = JSON.parse(read(`${folder}/package-lock.json`)) as Lock;
  const resolved = Object.entries(packages).flatMap(([path, { resolved: from }]) =>
    from === undefined ? [] : [[path, from]],
  );
  expect(resolved).toEqual([[CLIENT, 'file:../gatehouse-client.tgz']]);
  expect(packages[CLIENT]?.integrity).toBeUndefined();
}

function checkCodeBlocks(name: string, folder: string): void {
  const blocks = [...read(`docs/protect-${name}.md`).matchAll(CODE_BLOCK)].map(([, block = '']) => block);
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => !NOT_OURS.test(`${file}/`) && CODE_FILE.test(file))
    .map((file) => read(join(folder, file)));
  expect(blocks.length).toBeGreaterThan(0);
  expect(blocks.filter((block) => !files.some((text) => text.includes(block)))).toEqual([]);
}
