/** Each framework's package with a signup, in a small application that runs as a process, with a real Gatehouse, a real mail server and a proxy. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { captchaSettings, startCaptchaServer, type TestCaptchaServer } from '../support/captcha-server.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { type Scene, startScene } from '../support/scene.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { describeProofForm } from './proof-form.suite.ts';
import { createVisitor } from './signup-visitor.ts';

export interface Framework {
  readonly name: string;
  /** Folder for its files. */
  readonly temporary: string;
  /** Whether the framework is missing: nothing is run. */
  readonly isMissing: boolean;
  /** Paths of the forms of the application; the first is tried with everything. */
  readonly forms: readonly string[];
  /** Fields of a signup, beside hidden ones. */
  fields(email: string, password: string): Readonly<Record<string, string>>;
  /** Prepares the application in an empty folder. @returns command that serves it on `environment.PORT` */
  prepare(
    folder: string,
    environment: Readonly<Record<string, string>>,
  ): readonly string[] | Promise<readonly string[]>;
  /** Part of the location after a signup. Default: `/welcome`. */
  readonly welcome?: RegExp;
  /** Settings of the application as a whole. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether `ON_FAILURE` of its environment chooses what happens without a verdict. */
  readonly hasOnFailure?: boolean;
  /** Whether a real browser signs up, too. */
  readonly browser?: boolean;
  /** Parts that it has beside a form. */
  readonly more?: Readonly<Record<string, (url: string) => Promise<void>>>;
  /** Ends what `prepare` started. */
  end?(): Promise<void>;
}

const VISITOR = '81.2.69.142';
const NETWORK = 'AS20712';
const PASSWORD = 'correct horse 9x';
const POLL_MS = 100;
const SITE_KEY = '1x00000000000000000000AA';

export function frameworkSuite(framework: Framework): void {
  const { name, forms, fields, welcome = /\/welcome/ } = framework;
  const form = forms[0] ?? '';
  describe.skipIf(framework.isMissing)(name, () => {
    let scene: Scene;
    let proxy: TcpProxy;
    let mails: MailServer;
    let mailProxy: TcpProxy;
    let captchas: TestCaptchaServer;
    let app: Application;
    let folder: string;
    const begin = (more: Readonly<Record<string, string>> = {}) => {
      const own = join(folder, Object.keys(more).join('-') || 'app');
      mkdirSync(own);
      return startApplication(framework, own, {
        GATEHOUSE_URL: `http://127.0.0.1:${proxy.port}`,
        GATEHOUSE_KEY: scene.account.live,
        // A busy machine must not let anybody in.
        GATEHOUSE_TIMEOUT_MS: '60000',
        SMTP_PORT: String(mailProxy.port),
        ...more,
      });
    };
    beforeAll(async () => {
      folder = mkdtempSync(join(framework.temporary, 'gatehouse-framework-'));
      [mails, captchas] = await Promise.all([startMailServer('off'), startCaptchaServer()]);
      mailProxy = await startTcpProxy(`127.0.0.1:${mails.server.port}`);
      scene = await startScene({ environment: captchaSettings(captchas) });
      proxy = await startTcpProxy(`127.0.0.1:${scene.service.port}`);
      app = await begin();
    }, 600_000);
    afterAll(async () => {
      await app?.stop();
      await framework.end?.();
      await scene?.end();
      await Promise.all([proxy?.close(), mailProxy?.close(), mails?.close(), captchas?.close()]);
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    });

    const visit = (
      at = form,
      { url } = app,
      ip = VISITOR,
      headers: Readonly<Record<string, string>> = {},
    ) => {
      const visitor = createVisitor(url + at, ip, headers);
      return (email: string, more: Readonly<Record<string, string>> = {}, password = PASSWORD) =>
        visitor.signUp({ ...fields(email, password), ...more });
    };
    const used = async () => (await scene.live.usage()).json.assessments_used;

    it('lets a good signup in', async () => {
      expect((await visit()('jo@quiet-harbour-works.com')).location).toMatch(welcome);
      expect(mails.received.filter(({ text }) => text.includes('#gcl.'))).toEqual([]);
    });

    it('blocks with a reference, for the address that the proxy reports', async () => {
      const { location, text } = await visit()('someone@mailinator.com');
      expect(location).toBe('');
      expect(text).toMatch(/We cannot create this account\. Reference: req_\w+/);
      const { json } = await scene.live.get(/req_\w+/.exec(text)?.[0] ?? '');
      expect(json).toMatchObject({ verdict: 'block', ip_status: 'ok', signals: { ip: { asn: NETWORK } } });
    });

    it('asks for another address where Gatehouse cannot read it', async () => {
      const { location, text } = await visit()('jo@xn--a.com');
      expect(location).toBe('');
      expect(text).toContain('Please check your email address.');
    });

    it('mails nobody who must not be mailed', async () => {
      const before = mails.received.length;
      const { text } = await visit()('5551234567@vtext.com');
      expect(text).toMatch(/We cannot create this account\. Reference: req_\w+/);
      expect(mails.received).toHaveLength(before);
    });

    it('assesses nothing that its own form refuses', async () => {
      const before = await used();
      const { location, text } = await visit()('short@quiet-harbour-works.com', {}, 'short');
      expect([location, /Reference|gatehouse_code/.test(text)]).toEqual(['', false]);
      expect(await used()).toBe(before);
    });

    it.each(forms)('%s asks a challenged visitor for the code of a mail', async (path) => {
      const signUp = visit(path, app, '81.2.69.143');
      const email = `ann${forms.indexOf(path)}@gmial.com`;
      const asked = await signUp(email);
      expect([asked.location, asked.text]).toEqual(['', expect.stringContaining('mail with a code')]);
      expect(asked.text).toContain('name="gatehouse_code"');
      const wrong = await signUp(email, { gatehouse_code: '000000' });
      expect([wrong.location, wrong.text]).toEqual(['', expect.stringContaining('This code is wrong.')]);
      const { code, to } = lastMail(mails);
      expect(to).toEqual([email]);
      // The code proves one address only.
      const others = await signUp(`other-${email}`, { gatehouse_code: code });
      expect([others.location, others.text]).toEqual(['', expect.stringContaining('mail with a code')]);
      expect((await signUp(email)).location).toBe('');
      // A form that is refused for something else loses nothing.
      const refused = await signUp(email, { gatehouse_code: code }, 'short');
      expect([refused.location, refused.text]).toEqual([
        '',
        expect.stringContaining('name="gatehouse_code"'),
      ]);
      expect((await signUp(email, { gatehouse_code: code })).location).toMatch(welcome);
    });

    it('takes a code once, also from a visitor who puts her old cookies back', async () => {
      const visitor = createVisitor(app.url + form, '81.2.69.151');
      const email = 'greta@gmial.com';
      expect((await visitor.signUp(fields(email, PASSWORD))).text).toContain('mail with a code');
      const { code } = lastMail(mails);
      const putBack = visitor.keepCookies();
      const passed = await visitor.signUp({ ...fields(email, PASSWORD), gatehouse_code: code });
      expect(passed.location).toMatch(welcome);
      putBack();
      // The same address, and another account for many an application.
      const again = await visitor.signUp({ ...fields('Greta@gmial.com', PASSWORD), gatehouse_code: code });
      expect(again.location).toBe('');
    });

    it('lets a challenged visitor in who opened the link of the mail', async () => {
      const signUp = visit(form, app, '81.2.69.144');
      const email = 'bob@gmial.com';
      expect((await signUp(email)).location).toBe('');
      const { link } = lastMail(mails);
      const [page = '', token = ''] = link.split('#');
      const confirm = () =>
        fetch(new URL('confirm', page), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ token }),
        });
      expect((await confirm()).status).toBe(200);
      expect((await signUp(email)).location).toMatch(welcome);
    });

    it.each([
      ['a code', 'gatehouse_code'],
      ['a CAPTCHA', 'cf-turnstile-response'],
    ])('lets nobody in by %s that is too large to send', async (what, field) => {
      const signUp = visit(form, app, '81.2.69.146');
      const email = `${what.replace(' ', '')}@gmial.com`;
      expect((await signUp(email)).text).toContain('mail with a code');
      const answer = await signUp(email, { [field]: '1'.repeat(300_000) });
      expect([answer.location, answer.text]).toEqual(['', expect.stringContaining('name="gatehouse_code"')]);
    });

    it.each([
      [550, 'dora@gmial.com'],
      [450, 'dirk@gmial.com'],
      [undefined, 'dörte@gmial.com'],
    ])('lets nobody in by an address that the mail server refuses: %s, %s', async (reply, email) => {
      if (reply !== undefined) mails.replies.push(reply);
      try {
        expect((await visit(form, app, '81.2.69.147')(email)).location).toBe('');
        expect(mails.replies).toEqual([]);
      } finally {
        mails.replies.length = 0;
      }
    });

    it('lets a challenged visitor in while nobody can be mailed', async () => {
      mailProxy.drop();
      try {
        expect((await visit(form, app, '81.2.69.148')('emil@gmial.com')).location).toMatch(welcome);
      } finally {
        mailProxy.flow();
      }
    });

    it.each([
      ['another Host', 'host', 'evil.example.net'],
      ['a Host that is too long', 'host', `${'a'.repeat(2_100)}.example.net`],
      ['a Host that cannot be', 'host', 'a_b(.example.net'],
      ['another forwarded host', 'x-forwarded-host', 'evil.example.net'],
    ])('lets nobody in by %s, and mails nothing of it', async (_what, name, value) => {
      const before = mails.received.length;
      const email = `frida${value.length}${name.length}@gmial.com`;
      const { location } = await visit(form, app, '81.2.69.149', { [name]: value })(email);
      expect(location).not.toMatch(welcome);
      expect(
        mails.received
          .slice(before)
          .map(({ text }) => text)
          .join(''),
      ).not.toContain('example.net');
    });

    it('sends three mails at most, also where old cookies are put back and forms are sent at once', async () => {
      const mailsTo = () => mails.received.filter(({ to }) => to.includes('gudrun@gmial.com')).length;
      const visitor = createVisitor(app.url + form, '81.2.69.153');
      const signUp = () => visitor.signUp(fields('gudrun@gmial.com', PASSWORD));
      const putBack = visitor.keepCookies();
      await signUp();
      for (let at = 0; at < 3; at += 1) {
        putBack();
        await signUp();
      }
      const others = Array.from({ length: 6 }, () => visit(form, app, '81.2.69.153')('gudrun@gmial.com'));
      for (const { location, text } of await Promise.all(others))
        expect([location, text]).toEqual(['', expect.stringContaining('several mails for this sign-up')]);
      expect(mailsTo()).toBe(3);
    });

    const countMails = () => mails.received.filter(({ text }) => text.includes('#gcl.')).length;
    describeProofForm({ framework, begin, countMails });

    it.each(Object.entries(framework.more ?? {}))('%s', async (_, check) => check(app.url));

    it('asks for a CAPTCHA where one is set', async () => {
      const other = await begin({ CAPTCHA_SITE_KEY: SITE_KEY });
      try {
        const before = mails.received.length;
        const signUp = visit(form, other, '81.2.69.145');
        const asked = await signUp('cleo@gmial.com');
        expect([asked.location, asked.text]).toEqual(['', expect.stringContaining('class="cf-turnstile"')]);
        expect(asked.text).toContain(`data-sitekey="${SITE_KEY}"`);
        const late = await signUp('cleo@gmial.com', { 'cf-turnstile-response': 'timeout-or-duplicate' });
        expect([late.location, late.text]).toEqual(['', expect.stringContaining('class="cf-turnstile"')]);
        const solved = await signUp('cleo@gmial.com', { 'cf-turnstile-response': 'passed' });
        expect(solved.location).toMatch(welcome);
        expect(mails.received.slice(before).filter(({ text }) => text.includes('#gcl.'))).toEqual([]);
      } finally {
        await other.stop();
      }
    });

    it.skipIf(framework.hasOnFailure !== true)(
      'lets nobody in without an answer, where challenges are chosen for that',
      async () => {
        const other = await begin({ ON_FAILURE: 'challenge' });
        try {
          for (const [away, email] of [
            [mailProxy, 'jonas@gmial.com'],
            [proxy, 'someone-new@mailinator.com'],
          ] as const) {
            away.drop();
            const { location, text } = await visit(form, other, '81.2.69.152')(email);
            away.flow();
            expect([location, text]).toEqual(['', expect.stringContaining('try again in a few minutes')]);
          }
        } finally {
          mailProxy.flow();
          proxy.flow();
          await other.stop();
        }
      },
    );

    it('lets everybody in while Gatehouse is stopped, and says so in the log', async () => {
      proxy.drop();
      try {
        const { location } = await visit()('someone-else@mailinator.com');
        expect(location).toMatch(welcome);
        await expect.poll(() => app.log()).toContain('no verdict for a signup');
      } finally {
        proxy.flow();
      }
    });
  });
}

function lastMail({ received }: MailServer): {
  readonly code: string;
  readonly link: string;
  readonly to: readonly string[];
} {
  const { text = '', to = [] } = received.findLast((mail) => mail.text.includes('gcl.')) ?? {};
  // Some mailers send it quoted-printable.
  const plain = text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return {
    code: /\b\d{6}\b/.exec(plain)?.[0] ?? '',
    link: /http\S+#gcl\.[\w.-]+/.exec(plain)?.[0] ?? '',
    to,
  };
}

export interface Application {
  readonly url: string;
  log(): string;
  stop(): Promise<void>;
}

async function startApplication(
  framework: Framework,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<Application> {
  const port = await findPort();
  const environment = {
    ...framework.environment,
    ...settings,
    PORT: String(port),
    DATA_FOLDER: folder,
    APP_URL: `http://127.0.0.1:${port}`,
  };
  const [program = '', ...args] = await framework.prepare(folder, environment);
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, ...environment } });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  const ended = once(child, 'close');
  const url = `http://127.0.0.1:${port}`;
  const isOpen = () =>
    fetch(url + framework.forms[0], { redirect: 'manual' }).then(
      () => true,
      () => false,
    );
  while (!(await isOpen())) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${framework.name} ended:\n${log.slice(-3_000)}`);
    await setTimeout(POLL_MS);
  }
  return {
    url,
    log: () => log,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
