/** A webhook receiver and a mail server on loopback, and destinations that lead there: what an account is told. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type MailServer, startMailServer } from './mail-server.ts';
import type { Person } from './person.ts';

export interface Notified {
  /** Settings of a service that may send to both. */
  readonly settings: Readonly<Record<string, string>>;
  /** Bodies of webhooks, in order of arrival. */
  readonly webhooks: readonly string[];
  readonly mails: MailServer['received'];
  /** Adds a webhook and an e-mail destination to an account. @param to a verified person of it */
  listen(owner: Person, account: string, types: readonly string[], to: string): Promise<void>;
  close(): Promise<void>;
}

export async function startNotified(): Promise<Notified> {
  const webhooks: string[] = [];
  const mail = await startMailServer('off');
  const receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    webhooks.push(body);
    response.end();
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  return {
    settings: {
      GATEHOUSE_WEBHOOKS_PRIVATE: 'on',
      GATEHOUSE_SMTP_URL: `smtp://127.0.0.1:${mail.server.port}?tls=off`,
      GATEHOUSE_SMTP_FROM: 'gatehouse@shop.example',
    },
    webhooks,
    mails: mail.received,
    async listen(owner, account, types, to) {
      const common = { types, verdicts: [] };
      for (const destination of [
        { kind: 'webhook', name: 'ops', url, ...common },
        { kind: 'email', name: 'mail', url: to, ...common },
      ]) {
        const answer = await owner.send('POST', `/accounts/${account}/destinations`, destination);
        if (answer.status !== 200) throw new Error(`a destination was answered with ${answer.text}`);
      }
    },
    async close() {
      receiver.closeAllConnections();
      receiver.close();
      await mail.close();
    },
  };
}
