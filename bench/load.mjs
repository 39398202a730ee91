// A closed-loop load: each connection sends its next request when the answer to the last one is complete.
// Raw sockets and requests made beforehand, so that the loader costs little beside what it measures.
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /content-length: *(\d+)/i;

/** Runs the load and resolves to counts and latencies (milliseconds, sorted). */
export async function load({ port, requests, connections, seconds }) {
  const latencies = [];
  const refused = new Map();
  let next = 0;
  let stopAt = performance.now() + seconds * 1000;
  const open = () =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      let pending = Buffer.alloc(0);
      let sentAt = 0;
      const send = () => {
        sentAt = performance.now();
        socket.write(requests[next++ % requests.length]);
      };
      socket.setNoDelay(true);
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('close', resolve);
      socket.on('data', (chunk) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        const headEnd = pending.indexOf(HEAD_END);
        if (headEnd < 0) return;
        const head = pending.toString('latin1', 0, headEnd);
        const end = headEnd + 4 + Number(LENGTH.exec(head)?.[1] ?? 0);
        if (pending.length < end) return;
        pending = pending.subarray(end);
        const now = performance.now();
        const status = head.slice(9, 12);
        if (status === '200') latencies.push(now - sentAt);
        else refused.set(status, (refused.get(status) ?? 0) + 1);
        if (now < stopAt) send();
        else socket.end();
      });
    });
  const started = performance.now();
  stopAt = started + seconds * 1000;
  await Promise.all(Array.from({ length: connections }, open));
  const elapsed = (performance.now() - started) / 1000;
  latencies.sort((a, b) => a - b);
  return {
    perSecond: latencies.length / elapsed,
    count: latencies.length,
    p50: latencies[Math.floor(latencies.length * 0.5)] ?? Number.NaN,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
    refused: Object.fromEntries(refused),
  };
}

if (parentPort !== null && workerData?.port !== undefined) parentPort.postMessage(await load(workerData));
