// Puts requests on a server at times that do not depend on its answers, and measures each from the moment when it was due: also what a slow answer delays counts. A process of its own, see `openLoop`; prints its result as JSON.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';

const GIVE_UP_MS = 15_000;
/** A caller waits some seconds at most, and a person who signs up not even that. */
const GOOD_MS = 1_000;

const {
  port,
  file,
  rate,
  seconds,
  leadSeconds,
  connections,
  patienceMs = Infinity,
} = JSON.parse(process.argv[2]);
const requests = readRequests(file);
const due = arrivals(rate, leadSeconds + seconds);
const latencies = new Float64Array(due.length);
const idle = [];
/** Due, but all connections are in use. */
const waiting = [];
const counts = { refused: 0, answered: 0 };
let next = 0;

const sockets = await Promise.all(Array.from({ length: connections }, open));
idle.push(...sockets);
const start = now() + 200;
// The thread sleeps with the precision of the kernel's timers; those of the event loop are whole milliseconds.
const clock = new Worker(new URL('./open-loop-clock.mjs', import.meta.url), { workerData: { due, start } });
clock.on('message', (upTo) => {
  for (; next < upTo; next += 1) {
    const socket = idle.shift();
    if (socket === undefined) waiting.push(next);
    else send(socket, next);
  }
});
const deadline = setTimeout(finish, (leadSeconds + seconds) * 1_000 + GIVE_UP_MS);

/** What was due longest ago; callers with `patienceMs` give up after that, unsent. */
function sendNext(socket) {
  while (now() - start - due[waiting[0]] > patienceMs) {
    waiting.shift();
    counts.answered += 1;
    counts.refused += 1;
  }
  if (waiting.length > 0) send(socket, waiting.shift());
  else idle.push(socket);
}

function send(socket, index) {
  socket.index = index;
  socket.write(requests[index % requests.length]);
}

function receive(socket, chunk) {
  socket.text += chunk;
  const end = socket.text.indexOf('\r\n\r\n');
  if (end < 0) return;
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(socket.text)[1]);
  if (socket.text.length < end + 4 + length) return;
  const { index } = socket;
  latencies[index] = now() - start - due[index];
  if (!socket.text.startsWith('HTTP/1.1 200 ')) {
    counts.refused += 1;
    latencies[index] *= -1;
  }
  socket.text = '';
  counts.answered += 1;
  sendNext(socket);
  if (counts.answered === due.length) finish();
}

function finish() {
  clearTimeout(deadline);
  const first = due.findIndex((at) => at >= leadSeconds * 1_000);
  const counted = latencies.subarray(first);
  // Not answered: 0. Not with 200: negative.
  const measured = counted
    .filter((latency) => latency !== 0)
    .map(Math.abs)
    .sort();
  const quantile = (share) => measured[Math.min(measured.length - 1, Math.floor(share * measured.length))];
  const result = {
    count: measured.length,
    unanswered: due.length - counts.answered,
    refused: counts.refused,
    p50: quantile(0.5),
    p99: quantile(0.99),
    p999: quantile(0.999),
    worst: measured.at(-1),
    /** Answers of 200 within a second. */
    good: counted.filter((latency) => latency > 0 && latency <= GOOD_MS).length,
    over500: measured.filter((latency) => latency > 500).length,
  };
  process.stdout.write(JSON.stringify(result), () => process.exit());
}

function open() {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    // One character a byte, so lengths agree.
    socket.setNoDelay(true).setEncoding('latin1');
    socket.text = '';
    socket.on('data', (chunk) => receive(socket, chunk)).once('error', reject);
  });
}

/** Milliseconds on a clock that all threads share. */
function now() {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Times in milliseconds at which independent callers come: exponential gaps, the same at each run. */
function arrivals(perSecond, length) {
  const times = [];
  let state = 1;
  for (let at = 0; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    at -= (Math.log((state + 1) / 4_294_967_297) * 1_000) / perSecond;
    if (at >= length * 1_000) return Float64Array.from(times);
    times.push(at);
  }
}

/** As `requestsFile` writes them. */
function readRequests(path) {
  const bytes = readFileSync(path);
  const found = [];
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf(10, at);
    const end = line + 1 + Number(bytes.subarray(at, line).toString());
    found.push(bytes.subarray(line + 1, end));
    at = end;
  }
  return found;
}
