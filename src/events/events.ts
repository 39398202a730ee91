/** Decides what a process does about events: make them of signups and of days, deliver them, remove old ones. */
import type { Logger } from 'pino';
import type { Directory } from '../accounts/directory.ts';
import { recipientOf } from '../accounts/mail-recipients.ts';
import type { SecretBox } from '../accounts/secret-box.ts';
import { createMakeId } from '../contract/identifiers.ts';
import type { Delivery, Destination, EventMessage } from '../model/event.ts';
import type { SmtpServer } from '../model/smtp-server.ts';
import { createWebClient, type WebClientOptions } from '../outbound/web-client.ts';
import type { Tracing } from '../platform/tracing.ts';
import type { PeopleStore } from '../store/dashboard-store.ts';
import type { DestinationStore, EventStore } from '../store/event-store.ts';
import { createPruner } from '../store/pruner.ts';
import { createDeliverer, type Deliverer, LEASE_MS, UnmadeMessage } from './deliverer.ts';
import { createDestinationAdmin, type DestinationAdmin } from './destination-admin.ts';
import { createDigests, type DigestOptions } from './digest.ts';
import { createLoop } from './loop.ts';
import { mailOf } from './mail-body.ts';
import { type FindSignup, type MessageSources, toMessage } from './message.ts';
import { type HttpMessage, type SendResult, sendByHttp } from './send.ts';
import { sendByMail } from './send-mail.ts';
import { signWebhook } from './signature.ts';
import { createSignupEvents, type SignupEventsOptions } from './signup-events.ts';
import { slackBody } from './slack-body.ts';

export interface EventsOptions {
  readonly store: EventStore &
    DestinationStore &
    PeopleStore &
    DigestOptions['store'] &
    MessageSources['store'];
  readonly box: SecretBox;
  /** Names of accounts, keys and hooks, for messages to people. */
  readonly directory: Pick<Directory, 'account' | 'keysOf' | 'hooksOf'>;
  readonly findSignup: FindSignup;
  readonly follow: SignupEventsOptions['follow'];
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly proxies: WebClientOptions['proxies'];
  /** Whether webhooks may lead to private addresses, to any port, and without TLS. */
  readonly allowsPrivate: boolean;
  /** Mail server; `null`: nothing is sent by e-mail. */
  readonly smtpServer: SmtpServer | null;
  /** Sender of mail; there is one where there is a mail server. */
  readonly smtpFrom: string | null;
  /** Whether no other process delivers: then tries of an earlier one are over when this one starts. */
  readonly isAlone: boolean;
  /** The dashboard's URL; `null`: messages for people have no link. */
  readonly publicUrl: string | null;
  /** Days that events are kept. */
  readonly keptDays: number;
  /** Absent where nothing is traced. */
  readonly tracing?: Pick<Tracing, 'step'>;
  readonly forTests?: EventsForTests | undefined;
}

/** Default of each: as in an installation. */
export interface EventsForTests {
  readonly pollMs?: number;
  readonly digestMs?: number;
  readonly leaseMs?: number;
  readonly limitMs?: number;
}

export interface Events extends Pick<Deliverer, 'tryNow'> {
  readonly admin: DestinationAdmin;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Max. time of a try. */
const LIMIT_MS = 15_000;
const POLL_MS = 1_000;
const DIGEST_MS = 60_000;
const DAY_MS = 86_400_000;
const PRUNE_MS = 60_000;

export function createEvents(options: EventsOptions): Events {
  const { store, log, clock, keptDays, forTests = {} } = options;
  const client = createWebClient({ proxies: options.proxies });
  const send = createSend(options, client);
  const deliverer = createDeliverer({
    store,
    send: options.tracing?.step('deliver event', send) ?? send,
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
  const { pollMs = POLL_MS, digestMs = DIGEST_MS } = forTests;
  const signupEvents = createSignupEvents(options);
  const signups = createLoop({ step: signupEvents.step, pollMs, log, fault: 'signups are not told for now' });
  const makeDigests = createDigests(options);
  const digests = createLoop({
    step: () => makeDigests().then(() => false),
    pollMs: digestMs,
    log,
    fault: 'daily summaries are not made for now',
  });
  const pruner = createPruner({
    prune: (maxPruned) => store.pruneEvents(clock() - keptDays * DAY_MS, maxPruned),
    random: Math.random,
    onFault: (error) => log.error({ err: error }, 'expired rows could not be removed'),
    idleMs: PRUNE_MS,
  });

  return {
    tryNow: deliverer.tryNow,
    admin: createDestinationAdmin({
      ...options,
      makeId: createMakeId(),
      tryNow: deliverer.tryNow,
      hasMail: options.smtpServer !== null,
      recipientOf: (accountId, address) => recipientOf(store, accountId, address),
    }),
    async start() {
      if (options.isAlone) await store.freeTries(clock() + LEASE_MS);
      deliverer.start();
      signups.start();
      if (options.smtpServer !== null) digests.start();
      pruner.start();
    },
    async close() {
      await Promise.all([deliverer.close(), signups.close(), digests.close(), pruner.close()]);
      await signupEvents.close();
      client.close();
    },
  };
}

function createSend(options: EventsOptions, client: ReturnType<typeof createWebClient>) {
  const { clock, allowsPrivate, forTests = {} } = options;
  const limitMs = forTests.limitMs ?? LIMIT_MS;
  const limits = { client, reach: allowsPrivate ? 'anywhere' : 'public', limitMs, clock } as const;
  return async (
    { event }: Delivery,
    destination: Destination,
    signal: AbortSignal,
  ): Promise<SendResult | undefined> => {
    const message = await toMessage(event, options);
    if (message === undefined) return undefined;
    if (destination.kind === 'email') return mail(message, destination, options, { limitMs, signal });
    const secrets = secretsOf(destination, options);
    const http: HttpMessage =
      destination.kind === 'slack'
        ? {
            url: secrets[0] as string,
            headers: JSON_HEADERS,
            body: slackBody(message, nameOf(message, options), options.publicUrl),
          }
        : signed(destination.address, secrets, { id: event.id, at: clock(), body: JSON.stringify(message) });
    return sendByHttp(http, { ...limits, signal });
  };
}

/** A person who has left the account is told nothing more. */
async function mail(
  message: EventMessage,
  destination: Destination,
  options: EventsOptions,
  limits: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<SendResult> {
  const { store, smtpServer: server, smtpFrom: from, publicUrl: baseUrl } = options;
  if (server === null || from === null) throw new UnmadeMessage('this installation sends no mail any more');
  if ((await recipientOf(store, destination.accountId, destination.address)) !== 'known')
    return { outcome: 'gone', reason: 'left', status: null, problem: LEFT };
  const context = { accountName: nameOf(message, options), destination, baseUrl };
  return sendByMail(mailOf(message, context), { server, from, ...limits });
}

const LEFT = 'the address is that of nobody of the account any more: this destination was disabled';
const JSON_HEADERS = { 'content-type': 'application/json', 'user-agent': 'gatehouse' };

function nameOf({ account_id: id }: EventMessage, { directory }: EventsOptions): string {
  return directory.account(id)?.name ?? id;
}

function signed(
  url: string,
  secrets: readonly string[],
  message: { readonly id: string; readonly at: number; readonly body: string },
): HttpMessage {
  return { url, headers: { ...JSON_HEADERS, ...signWebhook(secrets, message) }, body: message.body };
}

const UNREADABLE =
  'its secret cannot be read, because the secret of this installation is another one: remove this destination and add it again';

/** Valid secrets, the newest first. @throws UnmadeMessage when they were encrypted with another secret of the installation */
function secretsOf({ id, secrets }: Destination, { box, clock }: EventsOptions): string[] {
  const { current, previous } = secrets;
  const valid = [current, previous !== null && clock() < previous.until ? previous.text : null];
  try {
    return valid.filter((text) => text !== null).map((text) => box.decrypt(text, id));
  } catch {
    throw new UnmadeMessage(UNREADABLE);
  }
}
