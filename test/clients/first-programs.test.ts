/** The first program of each client's README is whole: copied and started, it protects a form, also while Gatehouse is away. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { codeBlocks } from '../../examples/test/code-blocks.ts';
import { ROOT } from '../support/command.ts';
import { type Scene, startScene } from '../support/scene.ts';
import { findLanguage, LANGUAGES } from './languages.ts';

const VISITOR = '203.0.113.50';
const present = LANGUAGES.flatMap((language) => {
  const program = language.first === undefined ? undefined : findLanguage(language);
  return program === undefined || language.first === undefined
    ? []
    : [{ ...language, first: language.first, program }];
});

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene?.end());

describe.each(present)('clients/$name', ({ name, first, program, environment }) => {
  it('protects a form', { timeout: 180_000 }, async () => {
    const page = `clients/${name}/README.md`;
    const block = codeBlocks(page).find(({ language }) => language === first.block);
    expect(readFileSync(join(ROOT, page), 'utf8')).toContain(`\`${first.file}\``);
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-first-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, first.file), `${block?.text}\n`);
    const command = first.command(program, folder);
    const signUp = await start(command, { ...environment, GATEHOUSE_URL: scene.service.url });
    expect(await signUp('jo@example.com')).toBe(201);
    expect(await signUp('challenge@example.com')).toBe(202);
    expect(await signUp('block@example.com')).toBe(403);
    expect(await signUp('no address')).toBe(400);
    const alone = await start(command, { ...environment, GATEHOUSE_URL: 'http://127.0.0.1:9' });
    expect(await alone('block@example.com')).toBe(201);
  });
});

/** Starts a program on a free port. @returns a function that sends the form, and gives the status */
async function start(
  [program = '', ...args]: readonly string[],
  environment: object,
): Promise<(email: string) => Promise<number>> {
  const port = await findPort();
  const child = spawn(program, args, {
    env: { ...process.env, ...environment, GATEHOUSE_KEY: scene.account.test, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  });
  const signUp = async (email: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/signup`, {
      method: 'POST',
      headers: { 'x-forwarded-for': VISITOR },
      body: new URLSearchParams({ email }),
    });
    expect(await response.text()).not.toBe('');
    return response.status;
  };
  await expect
    .poll(() => isOpen(port).then((open) => open || `${child.exitCode ?? ''} ${log}`), { timeout: 120_000 })
    .toBe(true);
  return signUp;
}

async function isOpen(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/`);
    return true;
  } catch {
    return false;
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
