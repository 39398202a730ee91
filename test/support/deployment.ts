/** Reads Gatehouse's deployment files, and what they must match. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { parse } from 'yaml';

type Yaml = string | number | boolean | null | Yaml[] | { [key: string]: Yaml };
export type Tree = { readonly [key: string]: Yaml };

export const ROOT = resolve(import.meta.dirname, '../..');

export function fileOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export function treeOf(path: string): Tree {
  return parse(fileOf(path), { merge: true }) as Tree;
}

/** The value at a path of keys and indexes. @throws Error if there is none */
export function at<T = Tree>(tree: Yaml, ...path: readonly (string | number)[]): T {
  let found: Yaml | undefined = tree;
  for (const step of path) found = (found as { [key: string | number]: Yaml } | undefined)?.[step];
  if (found === undefined) throw new Error(`nothing at ${path.join('.')}`);
  return found as T;
}

/** One instruction of the Dockerfile, its continued lines joined. */
export interface Instruction {
  readonly stage: string;
  readonly name: string;
  readonly rest: string;
}

export function dockerfile(): Instruction[] {
  const lines = fileOf('Dockerfile')
    .split('\n')
    .filter((line) => !/^\s*(?:#|$)/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n');
  let stage = '';
  return lines.map((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === 'FROM') stage = / AS (\w+)$/.exec(rest)?.[1] ?? '';
    return { stage, name, rest };
  });
}

/** The variables that the image sets. */
export function imageEnvironment(): { [name: string]: string } {
  const text = dockerfile().find(({ name }) => name === 'ENV')?.rest ?? '';
  return Object.fromEntries(text.split(' ').map((pair) => pair.split('=') as [string, string]));
}

/** The paths that a probe may use: the health routes of the service. */
export function probePaths(): string[] {
  const routes = fileOf('src/http/health.ts').matchAll(/routes\.add\('GET', '([^']+)'/g);
  return [...routes].map(([, path]) => path as string);
}

/** Variables that name files, pointed to files in a folder of this test. @param contents by file name */
export function inSecretFiles(
  variables: { readonly [name: string]: string },
  contents: { readonly [file: string]: string },
): { [name: string]: string } {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [file, text] of Object.entries(contents)) writeFileSync(join(folder, file), `${text}\n`);
  return Object.fromEntries(
    Object.entries(variables).map(([name, path]) => [name, join(folder, basename(path))]),
  );
}
