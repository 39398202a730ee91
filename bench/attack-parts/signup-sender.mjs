// Sends many signups over a few connections, in sequence on each. It uses little CPU, so that the service is the slow part.
import { connect } from 'node:net';

const CONNECTIONS = 32;

/** `signupOf(index)`: the body of each; `onAnswer(index, text)`: called with the body of each 200. Resolves to the answers by status. */
export async function sendSignups({ port, key }, { from = 0, count, signupOf, onAnswer = () => {} }) {
  const statuses = {};
  let next = from;
  const end = from + count;
  const work = () =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
      let index = 0;
      let text = '';
      const send = () => {
        if (next >= end) {
          socket.destroy();
          resolve();
          return;
        }
        index = next;
        next += 1;
        const body = JSON.stringify(signupOf(index));
        socket.write(
          `POST /v1/assess HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
      };
      socket.on('error', reject).on('connect', send);
      socket.on('data', (chunk) => {
        text += chunk;
        const head = text.indexOf('\r\n\r\n');
        if (head < 0 || text.length < head + 4 + Number(/content-length: (\d+)/i.exec(text)[1])) return;
        const status = text.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status === '200') onAnswer(index, text.slice(head + 4));
        text = '';
        send();
      });
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return statuses;
}
