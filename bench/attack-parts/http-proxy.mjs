// A reverse proxy as operators run one: it passes requests on, and adds the address that each came from to X-Forwarded-For.
import { once } from 'node:events';
import { createServer, request } from 'node:http';

/**
 * `port`: where requests go. `visitor`: the address that visitors have, in place of loopback's. `endsTls`: it terminates TLS and says so in a header. `replaces`: it drops the forwarding headers of visitors.
 */
export async function startHttpProxy({ port, visitor, endsTls = true, replaces = false }) {
  const server = createServer((incoming, answer) => {
    const said = replaces ? undefined : incoming.headers['x-forwarded-for'];
    const headers = {
      ...incoming.headers,
      'x-forwarded-for': [said, visitor ?? incoming.socket.remoteAddress].filter(Boolean).join(', '),
      ...(endsTls ? { 'x-forwarded-proto': 'https' } : {}),
    };
    const { method, url: path } = incoming;
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers }, (answered) => {
      answer.writeHead(answered.statusCode, answered.headers);
      answered.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address();
  return {
    url: `http://127.0.0.1:${own}`,
    port: own,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
