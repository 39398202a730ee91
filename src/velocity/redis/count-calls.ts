/** Decides which attempts the server counts in one call: those of one turn of the event loop that came through the same bucket under the same limits. */
import type { CountRequest } from '../counters.ts';
import { addressUnlessMailbox, type Keys, threeKeysOf } from './key-names.ts';
import type { CallScript } from './script-call.ts';

/**
 * Counts one attempt.
 * @param force 1 to count even if the account is not marked as complete
 * @param ahead milliseconds that the server's clock is ahead of the request's time
 * @returns the part of the script's reply for this attempt
 * @throws what the call fails with, for each attempt of that call
 */
export type CountEvent = (request: CountRequest, force: 0 | 1, ahead: number) => Promise<number[]>;

export interface CountCallsOptions {
  readonly callCount: CallScript;
  readonly keys: Keys;
  /** Attempts in a block; an account forgets whole blocks. */
  readonly blockSize: number;
}

/** Calls that go at once: the server counts them while the next ones are made. */
const MANY = 8;

interface Waiting {
  readonly resolve: (part: number[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The next call of a bucket. */
interface Call {
  /** Its first attempt; the others have the same limits. */
  readonly request: CountRequest;
  readonly force: 0 | 1;
  readonly keys: string[];
  readonly args: (string | number)[];
  readonly waiting: Waiting[];
}

export function createCountCalls({ callCount, keys, blockSize }: CountCallsOptions): CountEvent {
  /** Calls by bucket. Replaced, not cleared: V8 lets a cleared table keep its entries and lead to the next, so garbage lives long. */
  let open = new Map<string, Call>();
  let count = 0;
  let isSet = false;

  function begin(request: CountRequest, force: 0 | 1): Call {
    const { bucket, window, credit, event } = request;
    const own = keys.ofAccount(event.account);
    const name = bucket.slice(event.account.length);
    const limits = [window?.windowMs ?? 0, window?.admits ?? 0, credit?.month ?? '', credit?.cap ?? -1];
    return {
      request,
      force,
      keys: [own.window(name), own.state, own.blocks],
      args: [name, ...limits, blockSize, force],
      waiting: [],
    };
  }

  function sendAll(): void {
    const calls = open;
    open = new Map();
    count = 0;
    for (const call of calls.values()) send(call);
  }

  function send({ keys: touched, args, waiting }: Call): void {
    callCount(touched, args).then(
      (parts) => {
        for (let index = 0; index < waiting.length; index += 1)
          waiting[index]?.resolve(parts[index] as number[]);
      },
      (error: unknown) => {
        for (const { reject } of waiting) reject(error);
      },
    );
  }

  function callOf(request: CountRequest, force: 0 | 1): Call {
    const { bucket } = request;
    const begun = open.get(bucket);
    if (begun !== undefined) {
      if (begun.force === force && hasLimitsOf(begun.request, request)) return begun;
      send(begun);
    }
    const call = begin(request, force);
    open.set(bucket, call);
    return call;
  }

  return (request, force, ahead) =>
    new Promise((resolve, reject) => {
      const call = callOf(request, force);
      add(call, request, ahead, keys);
      call.waiting.push({ resolve, reject });
      count += 1;
      if (count >= MANY) sendAll();
      else if (!isSet) {
        isSet = true;
        setImmediate(() => {
          isSet = false;
          sendAll();
        });
      }
    });
}

function hasLimitsOf(first: CountRequest, { window, credit }: CountRequest): boolean {
  return (
    first.window?.windowMs === window?.windowMs &&
    first.window?.admits === window?.admits &&
    first.credit?.month === credit?.month &&
    first.credit?.cap === credit?.cap
  );
}

/** Mark in place of its network. */
const IN_NO_COUNT = 2;

function add({ keys: touched, args }: Call, { event, credit }: CountRequest, ahead: number, keys: Keys) {
  const own = keys.ofAccount(event.account);
  touched.push(...threeKeysOf(own, event));
  args.push(
    event.at + ahead,
    credit?.used ?? 0,
    credit?.exact === true ? 1 : 0,
    event.id,
    event.addressHash,
    addressUnlessMailbox(event),
    event.broughtBy === undefined ? own.voice(event.network) : IN_NO_COUNT,
    event.named === true ? 1 : 0,
  );
}
