// Sends requests to a server at times that do not depend on its answers, and measures each from the time it was due, so that delays by slow answers count. A separate process, see `openLoop`; prints its result as JSON.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { createQueue } from './open-loop-queue.mjs';

const GIVE_UP_MS = 15_000;
/** A caller waits a few seconds at most, and a person who signs up even less. */
const GOOD_MS = 1_000;
/** The timeout that the API recommends to callers. */
const TIMEOUT_MS = 3_000;
const GOOD_START = Buffer.from('HTTP/1.1 200 ');

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
/** How late each request was sent although a connection was free: the delay by this process itself. */
const delays = new Float64Array(due.length);
const idle = createQueue();
/** Due, but all connections are in use. */
const waiting = createQueue();
const counts = { refused: 0, unsent: 0, answered: 0 };
let next = 0;

/** A buffer for all sockets, because received data are parsed immediately. */
const buffer = Buffer.allocUnsafe(65_536);
for (const socket of await Promise.all(Array.from({ length: connections }, open))) idle.push(socket);
globalThis.gc();
const start = now() + 200;
// The thread sleeps with the precision of the kernel's timers; those of the event loop are whole milliseconds.
const clock = new Worker(new URL('./open-loop-clock.mjs', import.meta.url), { workerData: { due, start } });
clock.on('message', (upTo) => {
  for (; next < upTo; next += 1) {
    if (idle.size === 0) waiting.push(next);
    else {
      delays[next] = now() - start - due[next];
      send(idle.shift(), next);
    }
  }
});
const deadline = setTimeout(finish, (leadSeconds + seconds) * 1_000 + GIVE_UP_MS);

/** The oldest due request; callers with `patienceMs` give up after that time, before sending. */
function sendNext(socket) {
  while (waiting.size > 0 && now() - start - due[waiting.first()] > patienceMs) {
    waiting.shift();
    counts.answered += 1;
    counts.unsent += 1;
  }
  if (waiting.size > 0) send(socket, waiting.shift());
  else idle.push(socket);
}

function send(socket, index) {
  socket.index = index;
  socket.write(requests[index % requests.length]);
}

/** Nearly always an answer arrives complete, in a single packet. */
function receive(socket, length) {
  const piece = buffer.subarray(0, length);
  const bytes = socket.part === undefined ? piece : Buffer.concat([socket.part, piece]);
  if (!isWhole(bytes)) {
    socket.part = Buffer.from(bytes);
    return true;
  }
  socket.part = undefined;
  const { index } = socket;
  latencies[index] = now() - start - due[index];
  if (bytes.compare(GOOD_START, 0, GOOD_START.length, 0, GOOD_START.length) !== 0) {
    counts.refused += 1;
    latencies[index] *= -1;
  }
  counts.answered += 1;
  sendNext(socket);
  if (counts.answered === due.length) finish();
  return true;
}

function isWhole(bytes) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(bytes.latin1Slice(0, end))[1]);
  return bytes.length >= end + 4 + length;
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
  const answers = counted.filter((latency) => latency > 0).sort();
  const quantile = (share, of = measured) => of[Math.min(of.length - 1, Math.floor(share * of.length))];
  const result = {
    count: measured.length,
    unanswered: due.length - counts.answered,
    /** Answered, but not with 200. */
    refused: counts.refused,
    /** Given up before a connection was free. */
    unsent: counts.unsent,
    p50: quantile(0.5),
    p99: quantile(0.99),
    p999: quantile(0.999),
    worst: measured.at(-1),
    /** Only of answers with 200. */
    good99: quantile(0.99, answers),
    /** Answers with 200 within a second. */
    good: answers.filter((latency) => latency <= GOOD_MS).length,
    /** Answers with 200 before a caller with the recommended timeout gives up. */
    inTime: answers.filter((latency) => latency <= TIMEOUT_MS).length,
    over500: measured.filter((latency) => latency > 500).length,
    delay99: quantile(0.99, delays.subarray(first).sort()),
  };
  process.stdout.write(JSON.stringify(result), () => process.exit());
}

function open() {
  return new Promise((resolve, reject) => {
    const onread = { buffer, callback: (length) => receive(socket, length) };
    const socket = connect({ port, host: '127.0.0.1', onread }, () => resolve(socket));
    socket.setNoDelay(true).once('error', reject);
  });
}

/** Milliseconds on a clock that all threads share. */
function now() {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Times in milliseconds at which independent callers arrive: exponential gaps, the same in each run. */
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

/** Reads requests in the format of `requestsFile`. */
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
