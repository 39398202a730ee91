// An open load: requests start at fixed times, however long answers take; a request without a free connection waits.
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /content-length: *(\d+)/i;

let ending = false;

/** Sends `requests[i]` at `times[i]` (milliseconds from the start); resolves to all results. */
async function load({ port, requests, times, connections }) {
  const latencies = [];
  const refused = {};
  const idle = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const waiting = [];
  let answered = 0;
  let done;
  const finished = new Promise((resolve) => {
    done = resolve;
  });
  const send = (socket, index, since) => {
    socket.answer = (status) => {
      if (status === '200') latencies.push(performance.now() - since);
      else refused[status] = (refused[status] ?? 0) + 1;
      answered += 1;
      if (answered === requests.length) done();
      const next = waiting.shift();
      if (next === undefined) idle.push(socket);
      else send(socket, next.index, next.since);
    };
    socket.write(requests[index]);
  };
  const started = performance.now();
  let next = 0;
  const tick = setInterval(() => {
    while (next < requests.length && performance.now() - started >= times[next]) {
      const since = started + times[next];
      const socket = idle.shift();
      if (socket === undefined) waiting.push({ index: next, since });
      else send(socket, next, since);
      next += 1;
    }
    if (next === requests.length) clearInterval(tick);
  }, 1);
  await finished;
  const seconds = (performance.now() - started) / 1_000;
  ending = true;
  for (const socket of idle) socket.end();
  latencies.sort((a, b) => a - b);
  return {
    count: latencies.length,
    refused,
    seconds,
    p50: latencies[Math.floor(latencies.length * 0.5)],
    p99: latencies[Math.floor(latencies.length * 0.99)],
  };
}

function open(port) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let pending = Buffer.alloc(0);
    socket.setNoDelay(true);
    socket.on('connect', () => resolve(socket));
    socket.on('error', reject);
    // The bench fails instead of waiting for answers that cannot come.
    socket.on('close', () => {
      if (!ending) throw new Error('the service closed a connection');
    });
    socket.on('data', (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const headEnd = pending.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = pending.toString('latin1', 0, headEnd);
      const end = headEnd + 4 + Number(LENGTH.exec(head)?.[1] ?? 0);
      if (pending.length < end) return;
      pending = pending.subarray(end);
      socket.answer(head.slice(9, 12));
    });
  });
}

parentPort.postMessage(await load(workerData));
