/** The form of each framework where nothing is set: a challenged visitor's browser does a proof of work, in the form itself. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/command.ts';
import { startBrowser } from '../support/real-browser.ts';
import { type Scene, startScene } from '../support/scene.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import type { Application, Framework } from './framework.suite.ts';
import { createVisitor, type FormAnswer } from './signup-visitor.ts';

export interface ProofFormOptions {
  readonly framework: Framework;
  /** Starts the application with these settings more. */
  begin(more: Readonly<Record<string, string>>): Promise<Application>;
  /** Number of mails with a code so far. */
  countMails(): number;
}

const PASSWORD = 'correct horse 9x';
const ASKED = 'Please send the form again. Your browser calculates for some seconds first';
const WRONG = 'The check did not succeed. Please send the form again.';
const READY = 'Your browser is ready. Please send the form again.';

export function describeProofForm({ framework, begin, countMails }: ProofFormOptions): void {
  const { forms, fields, welcome = /\/welcome/ } = framework;
  const form = forms[0] ?? '';

  describe('where nothing is set', () => {
    let scene: Scene;
    let proxy: TcpProxy;
    let app: Application;
    beforeAll(async () => {
      scene = await startScene();
      proxy = await startTcpProxy(`127.0.0.1:${scene.service.port}`);
      app = await begin({
        GATEHOUSE_URL: `http://127.0.0.1:${proxy.port}`,
        GATEHOUSE_KEY: scene.account.live,
        CONTENT_POLICY: `default-src 'self'; script-src '${hashOfScript()}'`,
      });
    }, 600_000);
    afterAll(async () => {
      await app?.stop();
      await scene?.end();
      await proxy?.close();
    });

    const visit = (path = form, ip = '81.2.69.160') => {
      const visitor = createVisitor(app.url + path, ip);
      const signUp = (email: string, more: Readonly<Record<string, string>> = {}, password = PASSWORD) =>
        visitor.signUp({ ...fields(email, password), ...more });
      return { ...visitor, signUp };
    };
    const isAsked = ({ location, text }: FormAnswer, sentence = ASKED) => {
      expect([location, text]).toEqual(['', expect.stringContaining(sentence)]);
      expect(text).toContain('role="status"');
    };

    it.each(forms)('%s asks for a proof of work, and lets in who has solved it', async (path) => {
      const before = countMails();
      const email = `ada${forms.indexOf(path)}@gmial.com`;
      const { signUp } = visit(path);
      const asked = await signUp(email);
      isAsked(asked);
      expect(asked.text).toMatch(
        /<noscript><p>This form needs JavaScript .* Reference: req_\w+<\/p><\/noscript>/,
      );
      // Without the proof, with a wrong one, and where the form is refused for something else, it is asked for again.
      isAsked(await signUp(email));
      isAsked(await signUp(email, { gatehouse_proof: 'eyJjaGFsbGVuZ2UiOnt9fQ==' }), WRONG);
      isAsked(await signUp(email, { gatehouse_proof: '1'.repeat(300_000) }), WRONG);
      const altcha = await solve(asked);
      const refused = await signUp(email, { gatehouse_proof: altcha }, 'short');
      expect([refused.location, refused.text]).toEqual(['', expect.stringContaining('data-gatehouse-proof')]);
      expect((await signUp(email, { gatehouse_proof: altcha })).location).toMatch(welcome);
      expect(countMails()).toBe(before);
    });

    it('takes no proof for another address, and none of another visitor', async () => {
      const [mine, other] = [visit(), visit()];
      const asked = await mine.signUp('berta@gmial.com');
      const altcha = await solve(asked);
      isAsked(await other.signUp('carla@gmial.com'));
      isAsked(await other.signUp('carla@gmial.com', { gatehouse_proof: altcha }), WRONG);
      isAsked(await mine.signUp('doris@gmial.com', { gatehouse_proof: altcha }));
      isAsked(await mine.signUp('doris@gmial.com', { gatehouse_proof: altcha }), WRONG);
    });

    it('takes a proof once, also of a visitor in two windows, or who puts her old cookies back', async () => {
      const email = 'elsa@gmial.com';
      const [first, second] = [visit(), visit()];
      const altcha = await solve(await first.signUp(email));
      // The form is the same, and so is its signup.
      isAsked(await second.signUp(email));
      const putBack = first.keepCookies();
      expect((await first.signUp(email, { gatehouse_proof: altcha })).location).toMatch(welcome);
      putBack();
      for (const { signUp } of [first, second])
        expect((await signUp('Elsa@gmial.com', { gatehouse_proof: altcha })).location).not.toMatch(welcome);
    });

    it('lets in who solves it while Gatehouse is stopped, as without a verdict', async () => {
      const { signUp } = visit();
      const altcha = await solve(await signUp('flora@gmial.com'));
      proxy.drop();
      try {
        expect((await signUp('flora@gmial.com', { gatehouse_proof: altcha })).location).toMatch(welcome);
        await expect.poll(() => app.log()).toContain('no verdict for a signup');
      } finally {
        proxy.flow();
      }
    });

    it.runIf(framework.browser === true)(
      'works in a browser, by keyboard, beside a strict content policy',
      () => signUpByKeyboard(app.url, framework),
    );
  });
}

async function solve({ text }: FormAnswer): Promise<string> {
  const json = /data-gatehouse-proof="(\{.*?\})" data-working=/.exec(text)?.[1] ?? '';
  const challenge = JSON.parse(json) as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  if (solution === null) throw new Error('nobody solved it');
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

/** Two visitors: one waits until the browser is ready, the other sends the form at once. */
async function signUpByKeyboard(url: string, { forms, fields, welcome = /\/welcome/ }: Framework) {
  const browser = await startBrowser();
  try {
    for (const [email, waits] of [
      ['gerda@gmial.com', true],
      ['helga@gmial.com', false],
    ] as const) {
      const { page, faults, close } = await browser.open(url);
      await page.setExtraHTTPHeaders({ 'x-forwarded-for': '81.2.69.161' });
      const send = async () => {
        for (const [name, value] of Object.entries(fields(email, PASSWORD))) {
          const field = page.locator(`input[name="${name}"]`);
          if ((await field.count()) > 0) await field.fill(value);
        }
        await page.keyboard.press('Enter');
      };
      await page.goto(forms[0] ?? '');
      await send();
      await page.getByText(ASKED).waitFor();
      if (waits) await page.getByRole('status').filter({ hasText: READY }).waitFor();
      await send();
      await page.waitForURL(welcome);
      expect(faults).toEqual([]);
      await close();
    }
  } finally {
    await browser.close();
  }
}

/** Hash of the script that every client has, as docs/challenges.md says it. */
function hashOfScript(): string {
  const source = readFileSync(join(ROOT, 'clients/python/src/gatehouse/_proof_script.py'), 'utf8');
  const script = source.split('"""').at(-2) ?? '';
  const hash = `sha256-${createHash('sha256').update(script).digest('base64')}`;
  expect(readFileSync(join(ROOT, 'docs/challenges.md'), 'utf8')).toContain(hash);
  return hash;
}
