/** Makes one try to send a message by SMTP: within a time limit, with TLS unless the settings say otherwise. */
import type Connection from 'nodemailer/lib/smtp-connection';
import type { SmtpServer } from '../model/smtp-server.ts';
import { lineOf, type SendResult } from './send.ts';

export interface MailMessage {
  /** Id of the event: a message that is sent again has the same. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface SendMailOptions {
  readonly server: SmtpServer;
  /** Address, perhaps with a name. */
  readonly from: string;
  /** Max. time of a try. */
  readonly limitMs: number;
  /** Ends a try before its time. */
  readonly signal: AbortSignal;
  /** Certificate of an authority besides the usual ones, for tests. */
  readonly ca?: string;
}

/** Error of the library, with the code of the server's reply where there was one. */
interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
}

const REFUSED = 500;
/** Errors about the message, its recipient or its sender: all others would meet another message, too. */
const OF_MESSAGE: readonly string[] = ['EENVELOPE', 'EMESSAGE'];
const CLOSING = 421;
const UNREACHED = 'the mail server of this installation was not reached, or its certificate is not valid';

export async function sendByMail(message: MailMessage, options: SendMailOptions): Promise<SendResult> {
  const { limitMs, signal } = options;
  const limit = AbortSignal.timeout(limitMs);
  try {
    const status = await deliver(message, options, AbortSignal.any([limit, signal]));
    return { outcome: 'delivered', status };
  } catch (error) {
    return limit.aborted ? away(`no answer within ${limitMs / 1_000} seconds`) : judge(error as SmtpError);
  }
}

/** @returns the code of the reply that took it. @throws SmtpError */
async function deliver(
  message: MailMessage,
  { server, from, ca }: SendMailOptions,
  signal: AbortSignal,
): Promise<number> {
  const [{ default: SmtpConnection }, { default: MailComposer }] = await Promise.all([
    import('nodemailer/lib/smtp-connection'),
    import('nodemailer/lib/mail-composer'),
  ]);
  const { id, ...mail } = message;
  const { host, port, tls, login } = server;
  const composed = new MailComposer({
    ...mail,
    from,
    messageId: `<${id}@${domainOf(from)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }).compile();
  const body = await composed.build();
  const connection = new SmtpConnection({
    host,
    port,
    secure: tls === 'start',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'off',
    ...(ca !== undefined && { tls: { ca } }),
  });
  const { failed, step } = stepsOf(connection, signal);
  try {
    await step((done) => connection.connect(done));
    if (login !== null)
      await step<unknown>((done) => connection.login({ user: login.user, pass: login.password }, done));
    const { response } = await step<{ readonly response: string }>((done) =>
      connection.send(composed.getEnvelope(), body, done),
    );
    connection.quit();
    return Number.parseInt(response, 10);
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    failed.catch(() => {});
  }
}

type Done<T> = (error?: Error | null, value?: T) => void;

/** Runs one step after the other; each also ends with the connection, and with the signal. */
function stepsOf(connection: Connection, signal: AbortSignal) {
  const failed = new Promise<never>((_, fail) => {
    connection.once('error', fail);
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
  });
  return {
    failed,
    step: <T = void>(run: (done: Done<T>) => void): Promise<T> =>
      Promise.race([
        failed,
        new Promise<T>((done, fail) => run((error, value) => (error ? fail(error) : done(value as T)))),
      ]),
  };
}

function judge(error: SmtpError): SendResult {
  const { code = '', responseCode: status = null } = error;
  if (code === 'EAUTH') return away('the mail server refused the user name or the password', status);
  // Nothing of the inner network: the account reads it.
  const problem = status === null ? `${UNREACHED} (${code || 'no code'})` : lineOf(error);
  if (status === null || status === CLOSING || !OF_MESSAGE.includes(code)) return away(problem, status);
  if (status >= REFUSED) return { outcome: 'refused', status, problem };
  return { outcome: 'failed', status, problem, retryAfterMs: 0, isAway: false };
}

function away(problem: string, status: number | null = null): SendResult {
  return { outcome: 'failed', status, problem, retryAfterMs: 0, isAway: true };
}

function domainOf(from: string): string {
  return /@([^<>@\s]+?)>?$/.exec(from)?.[1] ?? 'gatehouse.invalid';
}
