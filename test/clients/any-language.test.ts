/** The programs of docs/any-language.md carry out verdicts, and keep the failure rule where Gatehouse is slow, down, broken or not Gatehouse. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeBlocks } from '../../examples/test/code-blocks.ts';
import { ROOT } from '../support/command.ts';
import { findProgram } from '../support/runtime-program.ts';
import { type Scene, startScene } from '../support/scene.ts';
import { type FaultProxy, type ScriptedAnswer, startFaultProxy } from './fault-proxy.ts';
import { findLanguage, GO, LANGUAGES, run } from './languages.ts';

const FOLDER = join(ROOT, 'examples/any-language');
const PAGE = 'docs/any-language.md';
/** Debian has no .NET, and the compiler of its Mono knows C# 7: no top-level statements, no `or` in patterns, no System.Text.Json. */
const NOT_RUN = ['csharp'];
const BLOCKS = {
  python: 'decide.py',
  go: 'decide.go',
  php: 'decide.php',
  ruby: 'decide.rb',
  java: 'Decide.java',
  csharp: 'Decide.cs',
};

const built = mkdtempSync(join(tmpdir(), 'gatehouse-any-'));
const programOf = (name: string) => {
  const language = LANGUAGES.find((each) => each.name === name);
  return language === undefined ? undefined : findLanguage(language);
};
const javac = findProgram(
  { packages: ['default-jdk-headless'], programs: ['javac'], check: ['-version'] },
  PAGE,
);
const [python, go, php, ruby] = ['python', 'go', 'php', 'ruby'].map(programOf);
/** Language → how its program is made and started; only languages that are there. */
const COMMANDS: Readonly<Record<string, () => readonly string[]>> = {
  ...(python && { python: () => [python, join(FOLDER, 'decide.py')] }),
  ...(go && {
    go() {
      run(go, ['build', '-o', join(built, 'decide'), join(FOLDER, 'decide.go')], FOLDER, GO);
      return [join(built, 'decide')];
    },
  }),
  ...(php && { php: () => [php, join(FOLDER, 'decide.php')] }),
  ...(ruby && { ruby: () => [ruby, '-w', join(FOLDER, 'decide.rb')] }),
  ...(javac && {
    java() {
      run(javac, ['-Xlint:all', '-Werror', '-d', built, join(FOLDER, 'Decide.java')], FOLDER);
      return ['java', '-cp', built, 'Decide'];
    },
  }),
};

/** Answer to the program → decision that it must make. */
const CASES: readonly { what: string; email: string; answer?: ScriptedAnswer; decision: string }[] = [
  { what: 'allow', email: 'jo@example.com', decision: 'allow' },
  { what: 'challenge', email: 'challenge@example.com', decision: 'challenge' },
  { what: 'block', email: 'block@example.com', decision: 'block' },
  {
    what: 'letters beyond ASCII, quotes and backslashes',
    email: 'block+"ü\\@example.com',
    decision: 'invalid',
  },
  { what: 'text that is no address', email: 'no address', decision: 'invalid' },
  { what: 'an endless address', email: `${'a'.repeat(70_000)}@example.com`, decision: 'invalid' },
  {
    what: 'a service that never answers',
    email: 'block@example.com',
    answer: { do: 'hang' },
    decision: 'allow',
  },
  { what: 'an answer that drips', email: 'block@example.com', answer: { do: 'drip' }, decision: 'allow' },
  { what: 'a lost connection', email: 'block@example.com', answer: { do: 'close' }, decision: 'allow' },
  { what: 'half an answer', email: 'block@example.com', answer: { do: 'truncate' }, decision: 'allow' },
  ...[
    { status: 500, body: { error: { code: 'internal_error', message: 'A fault.' } } },
    { status: 502, body: '<html>' },
    { status: 429, body: { error: { code: 'quota_exceeded', message: 'Spent.' } } },
    { status: 401, body: { error: { code: 'unauthorized', message: 'No.' } } },
    { status: 400, body: { error: { code: 'missing_field', message: 'No JSON.' } } },
    { status: 302, headers: { location: './usage' }, body: '' },
    { status: 200, body: '<!doctype html>' },
    { status: 200, body: '' },
    { status: 200, body: { verdict: 'maybe' } },
  ].map((answer) => ({
    what: `status ${answer.status} with ${JSON.stringify(answer.body)}`,
    email: 'block@example.com',
    answer,
    decision: 'allow',
  })),
];

let scene: Scene;
let proxy: FaultProxy;
beforeAll(async () => {
  scene = await startScene();
  proxy = await startFaultProxy(
    scene.service.url,
    CASES.map(({ answer }) => (answer === undefined ? [] : [answer])),
  );
});
afterAll(async () => {
  await proxy?.close();
  await scene?.end();
  rmSync(built, { recursive: true, force: true });
});

it('are the code blocks of the page', () => {
  const blocks = codeBlocks(PAGE).filter(({ language }) => language !== 'sh');
  expect(blocks.map(({ language }) => language).toSorted()).toEqual(Object.keys(BLOCKS).toSorted());
  expect(readdirSync(FOLDER).toSorted()).toEqual(Object.values(BLOCKS).toSorted());
  for (const { language, text } of blocks)
    expect(readFileSync(join(FOLDER, BLOCKS[language as keyof typeof BLOCKS]), 'utf8')).toContain(text);
  const run = [...Object.keys(COMMANDS), ...NOT_RUN];
  if (process.env.CI) expect(run.toSorted()).toEqual(Object.keys(BLOCKS).toSorted());
});

describe.each(Object.keys(COMMANDS))('%s', (language) => {
  it('carries out verdicts, and lets people in without one', { timeout: 240_000 }, async () => {
    const command = COMMANDS[language]?.() ?? [];
    const decided: object[] = [];
    // A few at a time: each is a process.
    for (let at = 0; at < CASES.length; at += 4)
      decided.push(
        ...(await Promise.all(
          CASES.slice(at, at + 4).map(async ({ what, email }, offset) => ({
            what,
            ...(await decide(command, `${proxy.url}/${language}/${at + offset}`, email)),
          })),
        )),
      );
    expect(decided).toEqual(
      CASES.map(({ what, decision }) => ({
        what,
        decision,
        isLogged: decision === 'allow' && what !== 'allow',
      })),
    );
    // Without the proxy, which leaves out what Java sends to offer HTTP/2.
    const direct = await decide(command, scene.service.url, 'block@example.com');
    expect(direct).toEqual({ decision: 'block', isLogged: false });
    expect(await decide(command, 'http://127.0.0.1:9', 'block@example.com')).toEqual({
      decision: 'allow',
      isLogged: true,
    });
  });
});

async function decide([program = '', ...args]: readonly string[], url: string, email: string) {
  const env = { ...process.env, GATEHOUSE_URL: url, GATEHOUSE_KEY: scene.account.test };
  const { stdout, stderr } = await promisify(execFile)(program, [...args, email, '203.0.113.60'], { env });
  return { decision: stdout.trim(), isLogged: /gatehouse: no verdict for a signup/.test(stderr) };
}
