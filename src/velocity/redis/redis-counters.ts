/** Decides how a shared server counts: each operation is one script and one round trip. */
import {
  BURST,
  type Crowd,
  type MailboxVoices,
  type VelocityEvent,
  type VelocityVoices,
  type VoiceCount,
} from '../../model/velocity-event.ts';
import type { Counters, CountRequest, CountResult, RateState, RateWindow, Reservation } from '../counters.ts';
import { uncountedReservation } from '../uncounted-reservation.ts';
import { SCRIPTS, type ScriptCommands } from './connect.ts';
import type { RedisConnection } from './connection.ts';
import { type CountEvent, createCountCalls } from './count-calls.ts';
import {
  accountOf,
  addressUnlessMailbox,
  createKeys,
  type Keys,
  keysOfEvent,
  threeKeysOf,
} from './key-names.ts';
import { removeKeys } from './remove-keys.ts';
import { createScriptCall } from './script-call.ts';

export interface RedisCountersOptions {
  readonly connection: Pick<RedisConnection, 'client'>;
  /** Prefix of every key. */
  readonly prefix: string;
  /** Attempts of one account in 24 h; beyond that it forgets its own oldest. */
  readonly maxAttemptsPerAccount: number;
  /** Keyed hash of a text, with a secret that all nodes share. */
  readonly fingerprint: (text: string) => string;
  /** Milliseconds that the clock of the account's server is ahead of the caller's clock. */
  readonly aheadMs?: (account: string) => number;
}

export interface RedisCountResult extends CountResult {
  /** The attempt is not counted yet: the server may lack part of the account's last 24 h. */
  readonly incomplete: boolean;
}

/** One part of a rebuild, under its lock. */
export interface RebuildPart {
  readonly token: string;
  readonly lockMs: number;
  readonly first: boolean;
  readonly last: boolean;
  /** Credits known to be used in a month, with the last part. */
  readonly credits?: { readonly month: string; readonly used: number } | undefined;
}

export interface RedisCounters extends Counters {
  checkAndCount(request: CountRequest): Promise<RedisCountResult>;
  /** Counts an attempt after `checkAndCount` answered `incomplete`, even if the account is still incomplete. */
  countAnyway(
    request: CountRequest,
    admission: Pick<CountResult, 'rate' | 'credit'>,
  ): Promise<RedisCountResult>;
  undo(attempt: VelocityEvent, creditMonth?: string): Promise<void>;
  /** Marks attempts, see `Reservation.markBlocked`. @throws when the server does not answer */
  markBlocked(attempt: VelocityEvent): Promise<void>;
  /** Counts attempts of one account again, with times of the server's clock. @returns false if `part` names a lock that was lost */
  recall(account: string, attempts: readonly VelocityEvent[], part?: RebuildPart): Promise<boolean>;
  /** Takes the lock for rebuilding an account; false if another node has it. */
  lock(account: string, token: string, milliseconds: number): Promise<boolean>;
  isComplete(account: string): Promise<boolean>;
  /** The time of the account's server, milliseconds since the epoch. */
  serverTime(account: string): Promise<number>;
  /** Marks the account as incomplete, so that it is rebuilt; a running rebuild loses its lock. */
  forget(account: string): Promise<void>;
  /** Removes every key of an account that was deleted. Looks through all keys of the server, a thousand at a time. */
  removeAccount(account: string): Promise<void>;
}

const BLOCKS = 64;
/** Its place in the reply of a count. */
const MAILBOX_24H = 9;
/** The place of the voices in the reply, and how far behind each is the number of those that are blocked. */
const VOICES = 11;
const OTHER_VOICES = 14;
const TO_BLOCKED = 4;
/** The places of what those that are not blocked have in common. */
const OF_DOMAIN = 19;
const NAMED = 20;
const NAMED_VOICES = 21;
const IN_NO_COUNT = 2;
const DAY_MS = 86_400_000;
const CREDITS = ['unknown', 'reserved', 'refused'] as const;

export function createRedisCounters(options: RedisCountersOptions): RedisCounters {
  const { connection, prefix, maxAttemptsPerAccount, fingerprint, aheadMs = () => 0 } = options;
  const scripts = () => connection.client as unknown as ScriptCommands;
  const keys = createKeys(prefix, fingerprint);
  const blockSize = Math.max(1, Math.floor(maxAttemptsPerAccount / BLOCKS));

  async function meter(bucket: string, { windowMs, admits }: RateWindow, now: number, counting: 0 | 1) {
    const account = accountOf(bucket);
    const own = keys.ofAccount(account);
    const name = bucket.slice(account.length);
    const ahead = aheadMs(account);
    const touched = [own.window(name), own.state];
    const rest = [name, now + ahead, windowMs, admits, counting];
    return toRate(await scripts().gatehouseAdmit(touched.length, ...touched, ...rest), ahead);
  }

  const callCount = createScriptCall({
    lua: SCRIPTS.gatehouseCount.lua,
    client: () => connection.client,
    load: (...args) => scripts().gatehouseCount(...args),
  });
  const events = createEventScripts({ scripts, keys });
  const countEvent = createCountCalls({ callCount, keys, blockSize });
  const count = countOlderToo(countEvent, () => connection.client, keys);
  const recall = createRecall({ scripts, keys, blockSize });

  return {
    admit: (bucket, window, now) => meter(bucket, window, now, 1),
    peek: (bucket, window, now) => meter(bucket, window, now, 0),
    async checkAndCount(request) {
      const ahead = aheadMs(request.event.account);
      const reply = await count(request, 0, ahead);
      const rate = request.window === null ? null : toRate(reply, ahead);
      return events.toResult(reply, request, { rate, credit: CREDITS[reply[3] as 0 | 1 | 2] });
    },
    async countAnyway(request, admission) {
      const ahead = aheadMs(request.event.account);
      const reply = await count({ ...request, window: null, credit: null }, 1, ahead);
      return events.toResult(reply, request, admission);
    },
    undo: events.undo,
    markBlocked: events.markBlocked,
    recall,
    async lock(account, token, milliseconds) {
      return (
        (await connection.client.set(keys.ofAccount(account).lock, token, 'PX', milliseconds, 'NX')) !== null
      );
    },
    async isComplete(account) {
      return (await connection.client.hexists(keys.ofAccount(account).state, 'm')) === 1;
    },
    async serverTime(account) {
      const [seconds, microseconds] = await scripts().gatehouseTime(1, keys.ofAccount(account).state);
      return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
    },
    async forget(account) {
      const own = keys.ofAccount(account);
      await Promise.all([connection.client.del(own.lock), connection.client.hdel(own.state, 'm')]);
    },
    removeAccount: (account) => removeKeys(connection.client, keys.ofAccount(account).all),
  };
}

interface ScriptOptions {
  /** Reads the current client. */
  readonly scripts: () => ScriptCommands;
  readonly keys: Keys;
  /** Attempts in a block; an account forgets whole blocks. */
  readonly blockSize: number;
}

/** Reads what was counted of an event, undoes it and marks it. */
function createEventScripts({ scripts, keys }: Pick<ScriptOptions, 'scripts' | 'keys'>) {
  async function undo(event: VelocityEvent, creditMonth?: string): Promise<void> {
    const own = keys.ofAccount(event.account);
    const touched = [own.state, ...keysOfEvent(own, event)];
    await scripts().gatehouseUndo(
      touched.length,
      ...touched,
      event.id,
      event.addressHash,
      addressUnlessMailbox(event),
      creditMonth ?? '',
      own.voice(event.network),
    );
  }

  async function markBlocked(event: VelocityEvent): Promise<void> {
    const own = keys.ofAccount(event.account);
    const touched = [own.state, ...keysOfEvent(own, event)];
    const rest = [event.id, addressUnlessMailbox(event), own.voice(event.network)];
    await scripts().gatehouseBlock(touched.length, ...touched, ...rest);
  }

  function toResult(
    reply: number[],
    { event, credit: claim }: CountRequest,
    { rate, credit }: Pick<CountResult, 'rate' | 'credit'>,
  ): RedisCountResult {
    const isCounted = reply[4] === 1;
    if (!isCounted && reply[4] !== IN_NO_COUNT)
      return { rate, credit, counted: null, incomplete: reply[4] === 0 };
    const month = credit === 'reserved' ? claim?.month : undefined;
    const onUndo = () => undo(event, month);
    const onBlocked = () => markBlocked(event);
    const counted = isCounted
      ? new RedisReservation(reply, onUndo, onBlocked)
      : uncountedReservation(event, onUndo);
    return { rate, credit, counted, incomplete: false };
  }

  return { toResult, undo, markBlocked };
}

/** Counts the hashes from before a rotation, too: where the event's mailbox has some, its count is not below theirs. */
function countOlderToo(
  count: CountEvent,
  client: () => { zcount(key: string, min: string, max: string): Promise<number> },
  keys: Keys,
): CountEvent {
  async function withOlder(
    request: CountRequest,
    olderMailboxes: readonly string[],
    counting: Promise<number[]>,
    ahead: number,
  ): Promise<number[]> {
    const { account, at } = request.event;
    // Addresses have the scores below 0, each the time of its newest attempt.
    const day = `(${-(at + ahead - DAY_MS)}`;
    const own = keys.ofAccount(account);
    const older = olderMailboxes.map((mailbox) => client().zcount(own.mailbox(mailbox), '-inf', day));
    const [reply, ...counts] = await Promise.all([counting, ...older]);
    if (reply.length > MAILBOX_24H) {
      reply[MAILBOX_24H] = Math.max(reply[MAILBOX_24H] as number, ...counts);
      // Nothing is known of the networks of addresses from before the rotation: they are voices from elsewhere.
      reply[OTHER_VOICES] = Math.max(reply[OTHER_VOICES] as number, ...counts);
    }
    return reply;
  }

  return (request, force, ahead) => {
    const counting = count(request, force, ahead);
    const { olderMailboxes } = request.event;
    return olderMailboxes === undefined ? counting : withOlder(request, olderMailboxes, counting, ahead);
  };
}

/** Counts events of one account again. */
function createRecall({ scripts, keys, blockSize }: ScriptOptions): RedisCounters['recall'] {
  return async (account, attempts, part) => {
    const own = keys.ofAccount(account);
    const touched = [own.state, own.blocks, own.lock];
    const args: (string | number)[] = [];
    for (const attempt of attempts) {
      touched.push(...threeKeysOf(own, attempt));
      args.push(
        attempt.id,
        attempt.at,
        attempt.addressHash,
        addressUnlessMailbox(attempt),
        own.voice(attempt.network),
        attempt.blocked === true ? 1 : 0,
        attempt.named === true ? 1 : 0,
      );
    }
    const [first, last] = [part?.first === true ? 1 : 0, part?.last === true ? 1 : 0];
    const { month = '', used = -1 } = part?.credits ?? {};
    const rest = [part?.token ?? '', first, last, part?.lockMs ?? 0, month, used];
    return (await scripts().gatehouseRestore(touched.length, ...touched, blockSize, ...rest, ...args)) === 1;
  };
}

class RedisReservation implements Reservation, VelocityVoices {
  readonly counts: Reservation['counts'];
  readonly #reply: readonly number[];
  readonly #onUndo: () => Promise<void>;
  readonly #onBlocked: () => Promise<void>;
  #undone = false;

  constructor(reply: number[], onUndo: () => Promise<void>, onBlocked: () => Promise<void>) {
    this.counts = {
      network1h: reply[5] as number,
      network24h: reply[6] as number,
      domain1h: reply[7] as number,
      domain24h: reply[8] as number,
      mailbox24h: reply[MAILBOX_24H] as number,
      partial: reply[10] === 1,
    };
    this.#reply = reply;
    this.#onUndo = onUndo;
    this.#onBlocked = onBlocked;
  }

  get voices(): VelocityVoices {
    return this;
  }

  networkMailboxes1h(): Crowd {
    const [named, ofDomain] = [this.#reply[NAMED] as number, this.#reply[OF_DOMAIN] as number];
    const { all, blocked } = this.#voicesAt(VOICES);
    return { all, blocked, named, ofDomain };
  }

  domainVoices1h(): Crowd {
    const { all, blocked } = this.#voicesAt(VOICES + 1);
    const isBurst = this.counts.domain1h >= BURST.domain1h;
    return {
      all,
      blocked,
      named: this.#reply[NAMED_VOICES] as number,
      ofDomain: isBurst ? all - blocked : 0,
    };
  }

  mailboxVoices24h(): MailboxVoices {
    return { own: this.#voicesAt(VOICES + 2), others: this.#voicesAt(OTHER_VOICES) };
  }

  #voicesAt(place: number): VoiceCount {
    return { all: this.#reply[place] as number, blocked: this.#reply[place + TO_BLOCKED] as number };
  }

  async undo(): Promise<void> {
    if (this.#undone) return;
    this.#undone = true;
    await this.#onUndo();
  }

  async markBlocked(): Promise<void> {
    if (!this.#undone) await this.#onBlocked();
  }
}

function toRate([admitted, remaining, retryAt]: number[], ahead: number): RateState {
  return {
    admitted: admitted === 1,
    remaining: remaining as number,
    retryAt: (retryAt as number) - ahead,
  };
}
