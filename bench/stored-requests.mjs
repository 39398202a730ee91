// Requests that read stored assessments by id, after the assessments were made.
import { Agent, request } from 'node:http';

const COUNT = 5_000;
const IN_FLIGHT = 32;

/** @returns complete GET requests as bytes, for `load` */
export async function storedRequests({ port, requests, key }) {
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  const bodies = requests.slice(0, COUNT).map((bytes) => bytes.toString().split('\r\n\r\n')[1]);
  const ids = [];
  let next = 0;
  const ask = async () => {
    while (next < bodies.length) {
      const body = bodies[next++];
      ids.push(await assess({ port, agent, key: key.key, body }));
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, ask));
  agent.destroy();
  return ids.map((id) =>
    Buffer.from(
      `GET /v1/assess/${id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key.key}\r\n\r\n`,
    ),
  );
}

function assess({ port, agent, key, body }) {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  };
  const options = { host: '127.0.0.1', port, path: '/v1/assess', method: 'POST', agent, headers };
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.once('end', () => resolve(JSON.parse(text).request_id));
    });
    sent.once('error', reject).end(body);
  });
}
