/** Decides how one thread hands stored attempts to another that counts them: some chunks ahead of it, and no more. */
import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { type AttemptChunk, type AttemptColumns, KEY_BOUNDS } from '../../model/velocity-event.ts';

export interface ReceivedAttempts {
  chunks(): AsyncIterable<AttemptChunk>;
  /** The sender's message after the last chunk; `undefined` if it ended before. */
  mark(): string | undefined;
}

/** Chunks are sent as they are, but for `accounts`: those that came since the chunk before. */
type Message = { readonly chunk: AttemptChunk } | { readonly mark: string | undefined };

/** Each is about a megabyte. */
const CHUNKS_AHEAD = 8;

/** Sends all chunks, then the mark; ends early where the other side is gone. Closes nothing. */
export async function sendAttempts(
  port: MessagePort,
  chunks: AsyncIterable<AttemptChunk>,
  mark: string | undefined,
): Promise<void> {
  let [ahead, accounts] = [0, 0];
  let isClosed = false;
  port.on('message', () => {
    ahead -= 1;
  });
  const closed = once(port, 'close').then(() => {
    isClosed = true;
  });
  for await (const chunk of chunks) {
    while (ahead >= CHUNKS_AHEAD && !isClosed) await Promise.race([once(port, 'message'), closed]);
    if (isClosed) return;
    ahead += 1;
    if (!('bytes' in chunk)) {
      port.postMessage({ chunk } satisfies Message);
      continue;
    }
    const copy = copyOf(chunk, accounts);
    accounts = chunk.accounts.length;
    const columns = [copy.account, copy.at, copy.blocked, copy.keys, copy.bytes];
    port.postMessage(
      { chunk: copy } satisfies Message,
      columns.map(({ buffer }) => buffer as ArrayBuffer),
    );
  }
  port.postMessage({ mark } satisfies Message);
}

/** Ends where the port is closed, too. */
export function receiveAttempts(port: MessagePort): ReceivedAttempts {
  const accounts: string[] = [];
  const waiting: Message[] = [];
  let mark: string | undefined;
  let isClosed = false;
  let wake = () => {};
  port.on('message', (message: Message) => {
    waiting.push(message);
    wake();
  });
  port.once('close', () => {
    isClosed = true;
    wake();
  });

  async function next(): Promise<Message | undefined> {
    while (waiting.length === 0 && !isClosed)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return waiting.shift();
  }

  return {
    async *chunks() {
      for (let message = await next(); message !== undefined; message = await next()) {
        if (!('chunk' in message)) {
          mark = message.mark;
          return;
        }
        yield withAccounts(message.chunk);
        port.postMessage('taken');
      }
    },
    mark: () => mark,
  };

  function withAccounts(chunk: AttemptChunk): AttemptChunk {
    if (!('bytes' in chunk)) return chunk;
    for (const account of chunk.accounts) accounts.push(account);
    return { ...chunk, accounts };
  }
}

/** Copy of exactly these attempts: the next chunk overwrites the arrays. @param sent accounts that the receiver has */
function copyOf(
  { length, accounts, account, at, blocked, keys, bytes }: AttemptColumns,
  sent: number,
): AttemptColumns {
  const bounds = keys.slice(0, KEY_BOUNDS * length);
  let end = 0;
  for (let index = 0; index < bounds.length; index += 1) end = Math.max(end, bounds[index] as number);
  return {
    length,
    accounts: accounts.slice(sent),
    account: account.slice(0, length),
    at: at.slice(0, length),
    blocked: blocked.slice(0, length),
    keys: bounds,
    bytes: bytes.slice(0, end),
  };
}
