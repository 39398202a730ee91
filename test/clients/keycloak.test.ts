/** The provider for Keycloak: built as a jar, found in it as Keycloak finds it, and run against the real service with stand-ins for Keycloak's objects. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSnippet, type SnippetRunner } from '../../examples/test/snippet-runner.ts';
import { ROOT } from '../support/command.ts';
import { findProgram } from '../support/runtime-program.ts';
import { type Scene, startScene } from '../support/scene.ts';
import type { Environment } from '../support/service.ts';

const PROVIDER = join(ROOT, 'clients/keycloak');
const JACKSON = ['core', 'databind', 'annotations'].map((part) => `/usr/share/java/jackson-${part}.jar`);
const VISITOR = '81.2.69.142';
const NETWORK = 'AS20712';
const JAVA = {
  packages: ['default-jdk-headless', 'libjackson2-databind-java'],
  programs: ['sh'],
  check: ['-c', `command -v javac && command -v jar && test -e ${JACKSON[1]}`],
};
const REFUSED = { denied: 'We cannot create this account. Reference: req_1', marked: false };
const ADMITTED = { denied: null, marked: false };
/** Answers that a proxy or a later version may give, and what the provider makes of them. */
const ANSWERS: readonly [string, number, string, object][] = [
  ['with white space', 200, '{\n "verdict" : "block",\n "request_id" : "req_1"\n}', REFUSED],
  ['with escapes', 200, '{"verdict":"\\u0062lock","request_id":"req_1"}', REFUSED],
  [
    'with another verdict in a text',
    200,
    '{"note":"\\"verdict\\":\\"block\\"","verdict":"allow","request_id":"req_1"}',
    ADMITTED,
  ],
  ['with another verdict below', 200, '{"inner":{"verdict":"block"},"verdict":"allow"}', ADMITTED],
  ['with a verdict that is none', 200, '{"verdict":"maybe"}', ADMITTED],
  ['with a list', 200, '["verdict","block"]', ADMITTED],
  ['with nothing', 200, '', ADMITTED],
  ['with a page', 502, '<html>"verdict":"block"</html>', ADMITTED],
  [
    'with a fault of the address',
    400,
    '{ "error": { "code": "invalid_email", "param": "email" } }',
    { denied: 'Please check your email address.', marked: false },
  ],
  ['with a fault of the IP', 400, '{"error":{"param":"ip","message":"\\"param\\":\\"email\\""}}', ADMITTED],
  [
    'with a text that is too large',
    413,
    '{"error":{"code":"payload_too_large"}}',
    { denied: 'Please check your email address.', marked: false },
  ],
];

describe.skipIf(findProgram(JAVA, 'clients/keycloak') === undefined)('the provider for Keycloak', () => {
  let scene: Scene;
  let folder: string;
  let jar: string;
  let classPath: string;
  let fake: Server;
  let answer: { readonly status: number; readonly body: string } | undefined;
  const running: SnippetRunner[] = [];
  const start = (environment: Environment): SnippetRunner => {
    const runner = runSnippet(['java', '-cp', classPath, 'Harness'], environment);
    running.push(runner);
    return runner;
  };
  const startAt = (url: string) => start({ GATEHOUSE_URL: url, GATEHOUSE_KEY: scene.account.live });
  const fakeUrl = () => `http://127.0.0.1:${(fake.address() as AddressInfo).port}`;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-keycloak-test-'));
    const build = spawnSync(process.execPath, [join(PROVIDER, 'build.mjs'), folder], { encoding: 'utf8' });
    // Newer compilers know more warnings, which must not stop a release.
    expect(build).toMatchObject({ status: 0, stderr: '' });
    jar = join(folder, readdirSync(folder).find((name) => name.endsWith('.jar')) ?? '');
    const classes = join(folder, 'classes');
    const sources = readdirSync(join(PROVIDER, 'interfaces'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.java'))
      .map((name) => join(PROVIDER, 'interfaces', name));
    const harness = join(import.meta.dirname, 'keycloak/Harness.java');
    execFileSync('javac', ['-Xlint:all', '-Werror', '-d', classes, ...sources, harness], { stdio: 'pipe' });
    classPath = [jar, classes, ...JACKSON].join(':');
    // Without an answer it accepts connections and keeps silent.
    fake = createServer((_request, response) => {
      if (answer !== undefined) response.writeHead(answer.status).end(answer.body);
    }).listen(0, '127.0.0.1');
    await new Promise((done) => fake.once('listening', done));
    scene = await startScene();
  });
  afterAll(async () => {
    await Promise.all(running.map((runner) => runner.stop()));
    fake?.closeAllConnections();
    fake?.close();
    await scene?.end();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  it('is in a jar with its licence and without the interfaces of Keycloak', () => {
    const names = execFileSync('jar', ['--list', '--file', jar], { encoding: 'utf8' }).split('\n');
    expect(names).toEqual(
      expect.arrayContaining(['META-INF/LICENSE', 'gatehouse/keycloak/GatehouseFormAction.class']),
    );
    expect(names.filter((name) => /^(?:com|jakarta|org)\//.test(name))).toEqual([]);
  });

  it('carries out the verdicts, for the address of the visitor', async () => {
    // A slash at the end is no mistake.
    const { signUp } = startAt(`${scene.service.url}/`);
    /** Tries again if the verdict came too late, as it may on a busy machine. */
    const expectOutcome = (email: string, outcome: object) =>
      expect.poll(() => signUp(email, VISITOR), { timeout: 50_000 }).toEqual(outcome);
    const reference = expect.stringMatching(/^We cannot create this account\. Reference: req_\w+$/);
    await expectOutcome('jo@quiet-harbour-works.com', ADMITTED);
    await expectOutcome('jo@gmial.com', { denied: null, marked: true });
    await expectOutcome('not an address', { denied: 'Please check your email address.', marked: false });
    await expectOutcome('someone@mailinator.com', { denied: reference, marked: false });
    // Longer than the service reads.
    await expectOutcome(`${'a'.repeat(100_000)}@mailinator.com`, {
      denied: 'Please check your email address.',
      marked: false,
    });
    // It is allowed, but nobody must be mailed.
    await expectOutcome('5551234567@vtext.com', { denied: reference, marked: false });
    // A text that is no address, as of a proxy that is set up wrongly, lets nobody in.
    await expect
      .poll(() => signUp('someone@mailinator.com', 'unknown'), { timeout: 50_000 })
      .toEqual({ denied: reference, marked: false });
    const { denied } = await signUp('someone@mailinator.com', VISITOR);
    const { json } = await scene.live.get(/req_\w+/.exec(denied ?? '')?.[0] ?? '');
    expect(json).toMatchObject({ verdict: 'block', ip_status: 'ok', signals: { ip: { asn: NETWORK } } });
  });

  it.each(ANSWERS)('reads an answer %s', async (_what, status, body, outcome) => {
    answer = { status, body };
    const runner = startAt(fakeUrl());
    expect(await runner.signUp('jo@quiet-harbour-works.com', VISITOR)).toEqual(outcome);
    if (outcome === ADMITTED && !body.includes('"allow"'))
      await expect.poll(() => runner.log()).toMatch(/gatehouse: no verdict for a signup/);
    expect(runner.log()).not.toContain('block');
  });

  it('leaves no connection open after its time', async () => {
    answer = undefined;
    const runner = startAt(fakeUrl());
    expect(await runner.signUp('jo@quiet-harbour-works.com', VISITOR)).toEqual(ADMITTED);
    const count = () => new Promise((done) => fake.getConnections((_error, open) => done(open)));
    await expect.poll(count).toBe(0);
  });

  it('lets people in when Gatehouse cannot be reached, does not answer, or is not set up', async () => {
    answer = undefined;
    const closed = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => closed.once('listening', done));
    const { port } = closed.address() as AddressInfo;
    await new Promise((done) => closed.close(done));
    const key = { GATEHOUSE_KEY: scene.account.live };
    for (const environment of [
      { ...key, GATEHOUSE_URL: `http://127.0.0.1:${port}` },
      { ...key, GATEHOUSE_URL: fakeUrl() },
      { ...key, GATEHOUSE_URL: `${scene.service.url}/nowhere` },
      { ...key, GATEHOUSE_URL: 'gatehouse.internal' },
      { GATEHOUSE_URL: scene.service.url, GATEHOUSE_KEY: 'two words' },
      key,
    ]) {
      const runner = start(environment);
      expect(await runner.signUp('someone@mailinator.com', VISITOR)).toEqual(ADMITTED);
      await expect.poll(() => runner.log()).toMatch(/gatehouse: no verdict for a signup/);
      expect(runner.log()).not.toMatch(/sk_live_|two words/);
    }
  });
});
