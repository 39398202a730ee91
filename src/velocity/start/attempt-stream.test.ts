/** Attempts arrive as they were sent, even if their arrays are overwritten meanwhile, and never far ahead of the receiver. */
import { setImmediate as turn } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import {
  type AttemptChunk,
  type AttemptColumns,
  KEY_BOUNDS,
  type VelocityEvent,
} from '../../model/velocity-event.ts';
import { eventAt } from '../memory/stored-columns.ts';
import { receiveAttempts, sendAttempts } from './attempt-stream.ts';

const CHUNKS = 20;
const MAX_AHEAD = 8;
const { port1, port2 } = new MessageChannel();
afterEach(() => port1.close());

/** One attempt a chunk, always in the same arrays, each of a new account. */
async function* chunks(onMake: (made: number) => void): AsyncGenerator<AttemptColumns> {
  const accounts: string[] = [];
  const columns = {
    account: new Uint32Array(2),
    at: new Float64Array(2),
    blocked: new Uint8Array(2),
    keys: new Uint32Array(2 * KEY_BOUNDS),
    bytes: new Uint8Array(64),
  };
  for (let index = 0; index < CHUNKS; index += 1) {
    onMake(index + 1);
    accounts.push(`acc_${index}`);
    columns.account[0] = index;
    columns.at[0] = 1_000 + index;
    columns.blocked[0] = index % 2;
    columns.keys.set([0, 0, 0, 3, 3, 5, 3, 5]);
    columns.bytes.set(Buffer.from(`d${index}`.padEnd(3).concat(`a${index % 10}`)));
    yield { length: 1, accounts, ...columns };
  }
}

function attemptsOf(chunk: AttemptChunk): VelocityEvent[] {
  if (!('bytes' in chunk)) return [...chunk];
  return Array.from({ length: chunk.length }, (_, index) => eventAt(chunk, index));
}

it('sends every attempt once and in order, waits for the receiver, and gives the mark at the end', async () => {
  let [made, taken, maxAhead] = [0, 0, 0];
  const sent = sendAttempts(
    port1,
    chunks((count) => {
      made = count;
      maxAhead = Math.max(maxAhead, made - taken);
    }),
    'mark',
  ).then(() => port1.close());
  const received = receiveAttempts(port2);
  const attempts: VelocityEvent[] = [];
  for (let wait = 0; wait < 50; wait += 1) await turn();
  expect(made).toBe(MAX_AHEAD + 1);
  for await (const chunk of received.chunks()) {
    taken += 1;
    attempts.push(...attemptsOf(chunk));
    expect(received.mark()).toBeUndefined();
  }
  await sent;
  expect(received.mark()).toBe('mark');
  expect(maxAhead).toBeLessThanOrEqual(MAX_AHEAD + 2);
  expect(attempts).toEqual(
    Array.from({ length: CHUNKS }, (_, index) => ({
      id: '',
      account: `acc_${index}`,
      at: 1_000 + index,
      network: null,
      domain: `d${index}`.padEnd(3),
      addressHash: `a${index % 10}`,
      mailbox: `a${index % 10}`,
      blocked: index % 2 === 1 || undefined,
    })),
  );
});

it('ends without a mark if the sender ended early', async () => {
  const { port1: sender, port2: receiver } = new MessageChannel();
  const events = [{ id: 'req_1', account: 'acc_1', at: 1, network: null, domain: 'd' }] as VelocityEvent[];
  sender.postMessage({ chunk: events });
  sender.close();
  const received = receiveAttempts(receiver);
  const chunksOf: AttemptChunk[] = [];
  for await (const chunk of received.chunks()) chunksOf.push(chunk);
  expect(chunksOf).toEqual([events]);
  expect(received.mark()).toBeUndefined();
});

it('makes no more chunks when nobody takes them any longer', async () => {
  const { port1: sender, port2: receiver } = new MessageChannel();
  let made = 0;
  const sent = sendAttempts(
    sender,
    chunks((count) => {
      made = count;
    }),
    'mark',
  );
  for (let wait = 0; wait < 50; wait += 1) await turn();
  receiver.close();
  await sent;
  expect(made).toBe(MAX_AHEAD + 1);
});
