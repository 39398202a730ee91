/** A real SMTP server on loopback: what it took, and how it answers. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { SmtpServer } from '../../src/model/smtp-server.ts';

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly text: string;
  /** Whether it came by TLS. */
  readonly secure: boolean;
}

export interface MailServer {
  readonly server: SmtpServer;
  readonly received: ReceivedMail[];
  /** Replies to the recipients that come next, one each; then all are taken. */
  readonly replies: number[];
  close(): Promise<void>;
}

/** @param login that it asks for */
export async function startMailServer(
  tls: SmtpServer['tls'],
  options: SMTPServerOptions & { readonly login?: SmtpServer['login'] } = {},
): Promise<MailServer> {
  const { login = null, ...rest } = options;
  const received: ReceivedMail[] = [];
  const replies: number[] = [];
  const server = new SMTPServer({
    secure: tls === 'start',
    closeTimeout: 100,
    disabledCommands: [...(tls === 'off' ? ['STARTTLS'] : []), ...(login === null ? ['AUTH'] : [])],
    authOptional: login === null,
    onAuth({ username, password }, _, done) {
      if (username === login?.user && password === login?.password) done(null, { user: username });
      else done(Object.assign(new Error('no'), { responseCode: 535 }));
    },
    onRcptTo(_, __, done) {
      const reply = replies.shift();
      done(reply === undefined ? null : Object.assign(new Error('not now'), { responseCode: reply }));
    },
    onData(stream, { envelope, secure }, done) {
      let text = '';
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => {
        text += chunk;
      });
      stream.on('end', () => {
        received.push({ to: envelope.rcptTo.map(({ address }) => address), text, secure });
        done();
      });
    },
    ...rest,
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    server: { host: 'localhost', port, tls, login },
    received,
    replies,
    close: () => new Promise((done) => server.close(done)),
  };
}
