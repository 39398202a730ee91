/** Reads the code blocks of the documents, and decides which commands of a shell block a test can run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../test/support/command.ts';

export interface CodeBlock {
  /** Path from the root of the repository. */
  readonly page: string;
  /** Number of its first line. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** Number of headings before it on its page. */
  readonly section: number;
}

export interface Command {
  /** With continued lines joined, without the comment. */
  readonly text: string;
  /** Why no test of this suite runs it; `undefined` if a test does. */
  readonly notRun: string | undefined;
}

/** Beginning of a command → why it is not run here. The first match counts. */
const NOT_RUN: readonly [RegExp, string][] = [
  [
    /^(?:docker|helm|kubectl|sed .*kubectl|\{ printf)/,
    'needs a container engine or a cluster; test/deploy checks the files',
  ],
  [
    /^npm (?:ci|start|test)|(?:^|\s)npm start|^npx gatehouse-server start|\S+=\S+ npx gatehouse-server start/,
    'every run of the tests begins with it, or test/packages/server-package.test.ts does',
  ],
  [/^npm install |^mkdir gatehouse/, 'examples/test and test/packages install from tarballs'],
  [/^npm run /, 'a script of package.json'],
  [/^node clients\/keycloak\/build\.mjs$/, 'test/clients/keycloak.test.ts runs it'],
  [/^node scripts\/release\.mjs /, 'test/deploy/release.test.ts runs it in a copy'],
  [/^mkdir -m 700 secrets$|^(?:openssl|echo) .* > secrets\//, 'test/deploy/secret-files.test.ts runs them'],
  [
    /^(?:pg_dump|pg_restore) /,
    'needs programs that are not older than the server; test/cli/postgres-dump.test.ts runs them',
  ],
  [/^export |^(?:GATEHOUSE_\w+=(?:'[^']*'|\S+) ?)+$/, 'settings of a start'],
  [/^sudo /, 'changes the machine; test/cli/service-manager.test.ts checks the unit of systemd'],
];

export function codeBlocks(page: string): CodeBlock[] {
  const lines = readFileSync(join(ROOT, page), 'utf8').split('\n');
  const blocks: CodeBlock[] = [];
  let section = 0;
  let open: { indent: string; language: string; line: number } | undefined;
  lines.forEach((text, index) => {
    const [, indent = '', language = ''] = /^( *)```(\w*)/.exec(text) ?? [undefined];
    if (open === undefined && /^#+ /.test(text)) section += 1;
    if (!/^ *```/.test(text)) return;
    if (open === undefined) {
      open = { indent, language, line: index + 1 };
      return;
    }
    const { indent: outer, language: kind, line } = open;
    const inside = lines.slice(line, index).map((inner) => inner.slice(outer.length));
    blocks.push({ page, line, language: kind, text: inside.join('\n'), section });
    open = undefined;
  });
  return blocks;
}

export function commandsOf({ text }: CodeBlock): Command[] {
  return text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(?:^|\s{2,}|\s)# .*$/, '').trim())
    .filter((line) => line !== '')
    .map((line) => ({ text: line, notRun: NOT_RUN.find(([begins]) => begins.test(line))?.[1] }));
}
