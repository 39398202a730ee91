// Puts requests on a server at times that do not depend on its answers, and measures each from the moment when it was due: also what a slow answer delays counts. A process of its own, see `openLoop`; prints its result as JSON.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { createQueue } from './open-loop-queue.mjs';

const GIVE_UP_MS = 15_000;
/** A caller waits some seconds at most, and a person who signs up not even that. */
const GOOD_MS = 1_000;
/** What the interface recommends as a caller's timeout. */
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
/** How late each was sent although a connection was free: what this process itself delays. */
const delays = new Float64Array(due.length);
const idle = createQueue();
/** Due, but all connections are in use. */
const waiting = createQueue();
const counts = { refused: 0, unsent: 0, answered: 0 };
let next = 0;

/** One for all sockets: what is read is looked at at once. */
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

/** What was due longest ago; callers with `patienceMs` give up after that, unsent. */
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

/** Nearly always an answer comes whole, in one piece. */
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
    /** Of the answers of 200 alone. */
    good99: quantile(0.99, answers),
    /** Answers of 200 within a second. */
    good: answers.filter((latency) => latency <= GOOD_MS).length,
    /** Answers of 200 before a caller with the recommended timeout gives up. */
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
