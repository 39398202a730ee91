/** Sending by SMTP to a real server on loopback: with and without TLS, refused, slow. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type MailServer, startMailServer } from '../../test/support/mail-server.ts';
import type { SmtpServer } from '../model/smtp-server.ts';
import { sendByMail } from './send-mail.ts';

const MAIL = {
  id: 'evt_1',
  to: 'kim@shop.example',
  subject: '[shop] Größer',
  text: 'Line one.\nÄnderung.\n',
};
const FROM = 'Gatehouse <gatehouse@shop.example>';
const LOGIN = { user: 'gatehouse', password: 'secret-words' };
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start(...options: Parameters<typeof startMailServer>): Promise<MailServer> {
  const server = await startMailServer(...options);
  closing.push(server.close);
  return server;
}

const send = (server: SmtpServer, limitMs = 20_000) =>
  sendByMail(MAIL, { server, from: FROM, limitMs, signal: new AbortController().signal });

/** A certificate of `localhost` that is signed by itself. */
function certificate(): { readonly cert: string; readonly key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-smtp-'));
  const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(folder, name)) as [string, string];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...names, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  const made = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  rmSync(folder, { recursive: true });
  return made;
}

describe('a message by SMTP', () => {
  it('arrives without TLS where the settings say so', async () => {
    const { server, received } = await start('off');
    expect(await send(server)).toEqual({ outcome: 'delivered', status: 250 });
    expect(received).toMatchObject([{ to: [MAIL.to], secure: false }]);
    const text = received[0]?.text ?? '';
    for (const line of [`From: ${FROM}`, `To: ${MAIL.to}`, 'Message-ID: <evt_1@shop.example>'])
      expect(text).toContain(line);
    expect(text).toContain('Auto-Submitted: auto-generated');
  });

  it('logs in', async () => {
    const { server, received } = await start('off', { login: LOGIN });
    expect(await send(server)).toEqual({ outcome: 'delivered', status: 250 });
    expect(received).toHaveLength(1);
  });

  it('is tried again where the password is refused, and no line has it', async () => {
    const { server, received } = await start('off', { login: LOGIN });
    const result = await send({ ...server, login: { ...LOGIN, password: 'wrong-words' } });
    expect(result).toMatchObject({ outcome: 'failed', status: 535, isAway: true });
    expect(JSON.stringify(result)).not.toMatch(/words|\n/);
    expect(received).toEqual([]);
  });

  it.each(['start', 'starttls'] as const)('arrives by TLS: %s', async (tls) => {
    const { cert, key } = certificate();
    const { server, received } = await start(tls, { cert, key, login: LOGIN });
    const options = { server, from: FROM, limitMs: 20_000, signal: new AbortController().signal };
    expect(await sendByMail(MAIL, { ...options, ca: cert })).toEqual({ outcome: 'delivered', status: 250 });
    expect(received).toMatchObject([{ to: [MAIL.to], secure: true }]);
  });

  it.each(['start', 'starttls'] as const)(
    'goes to no server without a valid certificate: %s',
    async (tls) => {
      const { server, received } = await start(tls, certificate());
      const result = await send(server);
      expect(result).toMatchObject({ outcome: 'failed', isAway: true });
      expect('problem' in result && result.problem).toMatch(/certificate|expired/);
      expect(received).toEqual([]);
    },
  );

  it('goes to no server without STARTTLS, unless the settings say so', async () => {
    const { server, received } = await start('off');
    expect(await send({ ...server, tls: 'starttls' })).toMatchObject({ outcome: 'failed', isAway: true });
    expect(received).toEqual([]);
  });

  it.each([
    [421, { outcome: 'failed', isAway: true }],
    [450, { outcome: 'failed', isAway: false }],
    [550, { outcome: 'refused' }],
  ])('ends as the reply %i says', async (reply, expected) => {
    const { server, replies, received } = await start('off');
    replies.push(reply);
    expect(await send(server)).toMatchObject({ ...expected, status: reply });
    expect(received).toEqual([]);
    expect(await send(server)).toMatchObject({ outcome: 'delivered' });
  });

  it('is given up for now where nothing answers', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    closing.push(() => silent.close());
    const { port } = silent.address() as AddressInfo;
    const result = await send({ host: '127.0.0.1', port, tls: 'off', login: null }, 300);
    expect(result).toMatchObject({
      outcome: 'failed',
      isAway: true,
      problem: 'no answer within 0.3 seconds',
    });
    // The connection is closed, not left to the server.
    await expect.poll(() => new Promise((done) => silent.getConnections((_, count) => done(count)))).toBe(0);
  });

  it('is tried again where nobody listens', async () => {
    const { server, close } = await startMailServer('off');
    await close();
    expect(await send(server)).toMatchObject({ outcome: 'failed', status: null, isAway: true });
  });
});
