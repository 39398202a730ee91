/** Decides what a process does about events: make them of signups, deliver them, remove old ones. */
import type { Logger } from 'pino';
import type { SecretBox } from '../accounts/secret-box.ts';
import { createMakeId } from '../contract/identifiers.ts';
import type { Delivery, Destination } from '../model/event.ts';
import { createWebClient, type WebClientOptions } from '../outbound/web-client.ts';
import type { DestinationStore, EventStore } from '../store/event-store.ts';
import { createPruner } from '../store/pruner.ts';
import { createDeliverer, type Deliverer } from './deliverer.ts';
import { createDestinationAdmin, type DestinationAdmin } from './destination-admin.ts';
import { type FindSignup, toMessage } from './message.ts';
import { type HttpMessage, type SendResult, sendByHttp } from './send.ts';
import { signWebhook } from './signature.ts';
import { slackBody } from './slack-body.ts';
import { createTellSignups, type TellSignupsOptions } from './tell-signups.ts';

export interface EventsOptions {
  readonly store: EventStore & DestinationStore;
  readonly box: SecretBox;
  /** Name of an account, for messages to people. */
  readonly nameOf: (accountId: string) => string;
  readonly findSignup: FindSignup;
  readonly follow: TellSignupsOptions['follow'];
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly proxies: WebClientOptions['proxies'];
  /** Whether webhooks may lead to private addresses, to any port, and without TLS. */
  readonly allowsPrivate: boolean;
  /** The dashboard's URL; `null`: messages for people have no link. */
  readonly publicUrl: string | null;
  /** Days that events are kept. */
  readonly keptDays: number;
  readonly forTests?: EventsForTests | undefined;
}

/** Default of each: as in an installation. */
export interface EventsForTests {
  readonly pollMs?: number;
  readonly leaseMs?: number;
  readonly limitMs?: number;
}

export interface Events extends Pick<Deliverer, 'tryNow'> {
  readonly admin: DestinationAdmin;
  start(): void;
  close(): Promise<void>;
}

/** Max. time of a try. */
const LIMIT_MS = 15_000;
const POLL_MS = 1_000;
const DAY_MS = 86_400_000;
const PRUNE_MS = 60_000;

export function createEvents(options: EventsOptions): Events {
  const { store, log, clock, keptDays, forTests = {} } = options;
  const client = createWebClient({ proxies: options.proxies });
  const deliverer = createDeliverer({
    store,
    send: createSend(options, client),
    log,
    clock,
    random: Math.random,
    auditOf: (accountId) => (action, target, detail) => ({
      at: clock(),
      by: 'delivery of events',
      accountId,
      action,
      target,
      detail,
    }),
    forTests,
  });
  const signups = createLoop(options);
  const pruner = createPruner({
    prune: (maxPruned) => store.pruneEvents(clock() - keptDays * DAY_MS, maxPruned),
    random: Math.random,
    onFault: (error) => log.error({ err: error }, 'expired rows could not be removed'),
    idleMs: PRUNE_MS,
  });

  return {
    tryNow: deliverer.tryNow,
    admin: createDestinationAdmin({ ...options, makeId: createMakeId(), tryNow: deliverer.tryNow }),
    start() {
      deliverer.start();
      signups.start();
      pruner.start();
    },
    async close() {
      await Promise.all([deliverer.close(), signups.close(), pruner.close()]);
      client.close();
    },
  };
}

function createSend(options: EventsOptions, client: ReturnType<typeof createWebClient>) {
  const { clock, allowsPrivate, findSignup, forTests = {} } = options;
  const limits = {
    client,
    reach: allowsPrivate ? 'anywhere' : 'public',
    limitMs: forTests.limitMs ?? LIMIT_MS,
    clock,
  } as const;
  return async (
    { event }: Delivery,
    destination: Destination,
    signal: AbortSignal,
  ): Promise<SendResult | undefined> => {
    const message = await toMessage(event, findSignup);
    if (message === undefined) return undefined;
    const secrets = secretsOf(destination, options);
    const http: HttpMessage =
      destination.kind === 'slack'
        ? {
            url: secrets[0] as string,
            headers: JSON_HEADERS,
            body: slackBody(message, options.nameOf(event.accountId), options.publicUrl),
          }
        : signed(destination.address, secrets, { id: event.id, at: clock(), body: JSON.stringify(message) });
    return sendByHttp(http, { ...limits, signal });
  };
}

const JSON_HEADERS = { 'content-type': 'application/json', 'user-agent': 'gatehouse' };

function signed(
  url: string,
  secrets: readonly string[],
  message: { readonly id: string; readonly at: number; readonly body: string },
): HttpMessage {
  return { url, headers: { ...JSON_HEADERS, ...signWebhook(secrets, message) }, body: message.body };
}

/** Valid secrets, the newest first. @throws when they were encrypted with another secret of the installation */
function secretsOf({ id, secrets }: Destination, { box, clock }: EventsOptions): string[] {
  const { current, previous } = secrets;
  const valid = [current, previous !== null && clock() < previous.until ? previous.text : null];
  return valid.filter((text) => text !== null).map((text) => box.decrypt(text, id));
}

/** Follows signups, as long as somebody wants them. */
function createLoop({ store, follow, log, forTests = {} }: EventsOptions) {
  const { pollMs = POLL_MS } = forTests;
  const signups = createTellSignups({ store, follow });
  let next: NodeJS.Timeout | undefined;
  let working = Promise.resolve();
  let closed = false;
  let isFailing = false;

  async function step(): Promise<void> {
    try {
      const isMore = await signups.step();
      isFailing = false;
      plan(isMore ? 0 : pollMs);
    } catch (error) {
      if (!isFailing) log.error({ err: error }, 'signups are not told for now');
      isFailing = true;
      plan(pollMs);
    }
  }

  function plan(pauseMs: number): void {
    if (closed) return;
    next = setTimeout(() => {
      working = step();
    }, pauseMs).unref();
  }

  return {
    start: () => plan(pollMs),
    async close() {
      closed = true;
      clearTimeout(next);
      await working;
      await signups.close();
    },
  };
}
