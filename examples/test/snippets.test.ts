/** Each snippet answers signups with the verdicts of a running Gatehouse, sends the visitor's IP, and allows signups without a verdict. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Scene, startScene } from '../../test/support/scene.ts';
import { installExample } from './installed-examples.ts';
import { runSnippet, type SnippetRunner } from './snippet-runner.ts';

interface Snippet {
  readonly name: string;
  /** Whether a challenged user can be marked for the application. */
  readonly marks: boolean;
  /** Starts it from a copy of the folder `snippets`. */
  command(folder: string): readonly string[];
}

const HARNESSES = join(import.meta.dirname, 'snippets');
const javascript = (name: string, file: string, marks: boolean): Snippet => ({
  name,
  marks,
  command: (folder) => [process.execPath, join(HARNESSES, `${name}.mjs`), join(folder, name, file)],
});
const SNIPPETS: readonly Snippet[] = [
  javascript('auth0', 'action.js', true),
  javascript('firebase', 'index.js', true),
  javascript('cognito', 'index.mjs', false),
];
const VISITOR = '81.2.69.142';
const NETWORK = 'AS20712';

describe('snippets', () => {
  let folder: string;
  let silent: Server;
  beforeAll(async () => {
    folder = await installExample({ name: 'snippets' });
    // It accepts connections and never answers.
    silent = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((done) => silent.once('listening', done));
  });
  afterAll(() => {
    silent?.closeAllConnections();
    silent?.close();
  });

  describe.each(SNIPPETS)('$name', ({ marks, command }) => {
    // Each has its own account; otherwise velocity would challenge the visitor.
    let scene: Scene;
    const running: SnippetRunner[] = [];
    const start = (url: string) => {
      const runner = runSnippet(command(folder), { GATEHOUSE_URL: url, GATEHOUSE_KEY: scene.account.live });
      running.push(runner);
      return runner;
    };
    beforeAll(async () => {
      scene = await startScene();
    });
    afterAll(async () => {
      await Promise.all(running.map((runner) => runner.stop()));
      await scene?.end();
    });

    it('carries out the verdicts, for the address of the visitor', async () => {
      const { signUp } = start(scene.service.url);
      /** Tries again if the verdict came too late, as it may on a busy machine. */
      const expectOutcome = (email: string, outcome: object) =>
        expect.poll(() => signUp(email, VISITOR), { timeout: 50_000 }).toEqual(outcome);
      await expectOutcome('jo@quiet-harbour-works.com', { denied: null, marked: false });
      if (marks) await expectOutcome('jo@gmial.com', { denied: null, marked: true });
      const reference = expect.stringMatching(/^.*We cannot create this account\. Reference: req_\w+$/);
      await expectOutcome('not an address', { denied: expect.any(String), marked: false });
      await expectOutcome('someone@mailinator.com', { denied: reference, marked: false });
      // It is allowed, but nobody must be mailed.
      await expectOutcome('5551234567@vtext.com', { denied: reference, marked: false });
      const { denied } = await signUp('someone@mailinator.com', VISITOR);
      const { json } = await scene.live.get(/req_\w+/.exec(denied ?? '')?.[0] ?? '');
      expect(json).toMatchObject({ verdict: 'block', ip_status: 'ok', signals: { ip: { asn: NETWORK } } });
    });

    it('lets people in when Gatehouse cannot be reached, does not answer or refuses the key', async () => {
      const { port } = silent.address() as AddressInfo;
      const closed = createServer().listen(0, '127.0.0.1');
      await new Promise((done) => closed.once('listening', done));
      const { port: closedPort } = closed.address() as AddressInfo;
      await new Promise((done) => closed.close(done));
      const urls = [
        `http://127.0.0.1:${closedPort}`,
        `http://127.0.0.1:${port}`,
        `${scene.service.url}/nowhere`,
      ];
      for (const url of urls) {
        const runner = start(url);
        const outcome = await runner.signUp('someone@mailinator.com', VISITOR);
        expect(outcome).toEqual({ denied: null, marked: false });
        await expect.poll(() => runner.log()).toMatch(/gatehouse: no verdict for a signup/);
      }
    });
  });
});
