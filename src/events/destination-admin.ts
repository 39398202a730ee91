/** Makes and changes destinations of events, for both APIs and the command line: a secret is shown once and stored encrypted. */
import { isIP } from 'node:net';
import { fromTo } from '../accounts/audit-log.ts';
import type { Recipient } from '../accounts/mail-recipients.ts';
import type { SecretBox } from '../accounts/secret-box.ts';
import type { MakeId } from '../contract/identifiers.ts';
import {
  type Destination,
  type DestinationKind,
  EMAIL_EVENT_TYPES,
  type EventType,
  type EventVerdict,
} from '../model/event.ts';
import { hostOf, isInsideName, isPublicAddress } from '../outbound/public-address.ts';
import type { MakeAuditEntry } from '../store/audit-store.ts';
import type { DestinationChanges, DestinationStore, EventStore } from '../store/event-store.ts';
import type { Deliverer } from './deliverer.ts';
import type { SendResult } from './send.ts';
import { makeWebhookSecret } from './signature.ts';

export interface NewDestination {
  readonly accountId: string;
  readonly kind: DestinationKind;
  readonly name: string;
  /** URL of a webhook or of Slack, or `mailto:` and an address. */
  readonly url: string;
  readonly types: readonly EventType[];
  readonly verdicts: readonly EventVerdict[];
  /** Hour of the account's day at which e-mail brings a summary; `null`: none. */
  readonly digestHour: number | null;
}

/** Absent members do not change. */
export interface DestinationEdit extends Partial<Omit<NewDestination, 'accountId' | 'kind'>> {
  readonly enabled?: boolean;
}

/** `secret`: to be shown once; `null` for what has none of ours. */
export interface DestinationWithSecret {
  readonly destination: Destination;
  readonly secret: string | null;
}

/** `now`: milliseconds since the epoch. */
export interface DestinationAdmin {
  /** Whether there is a mail server. */
  readonly hasMail: boolean;
  /** @throws InvalidDestination */
  create(destination: NewDestination, now: number, audit: MakeAuditEntry): Promise<DestinationWithSecret>;
  /** @throws InvalidDestination */
  change(
    destination: Destination,
    edit: DestinationEdit,
    now: number,
    audit: MakeAuditEntry,
  ): Promise<Destination>;
  /** The old secret signs beside the new one for a day, unless `atOnce`. @throws InvalidDestination where there is none to rotate */
  rotate(
    destination: Destination,
    options: { readonly atOnce: boolean },
    now: number,
    audit: MakeAuditEntry,
  ): Promise<DestinationWithSecret>;
  remove(destination: Destination, audit: MakeAuditEntry): Promise<void>;
  /** Sends a test message now, once. @returns `undefined` where another process was faster, and its outcome is in the log of deliveries */
  test(destination: Destination, now: number): Promise<SendResult | undefined>;
  /** @returns whether there is such a delivery */
  replay(destination: Destination, eventId: string, now: number, audit: MakeAuditEntry): Promise<boolean>;
}

export interface DestinationAdminOptions {
  readonly store: DestinationStore & Pick<EventStore, 'saveDirectEvent' | 'replayDelivery'>;
  readonly box: SecretBox;
  readonly makeId: MakeId;
  readonly tryNow: Deliverer['tryNow'];
  readonly allowsPrivate: boolean;
  /** Whether there is a mail server. */
  readonly hasMail: boolean;
  readonly recipientOf: (accountId: string, address: string) => Promise<Recipient>;
}

type Place = Pick<Destination, 'address' | 'secrets'> & { readonly secret: string | null };

export const MAX_DESTINATIONS = 20;
const SECRET_OVERLAP_MS = 86_400_000;
const MAX_URL_LENGTH = 2_000;

/** The message says what is not valid. */
export class InvalidDestination extends Error {
  readonly param: string;
  constructor(param: string, message: string) {
    super(message);
    this.param = param;
  }
}

export function createDestinationAdmin(options: DestinationAdminOptions): DestinationAdmin {
  const { store, box, makeId, tryNow } = options;
  const placeOf = createPlaceOf(options);
  return {
    hasMail: options.hasMail,
    async create({ url, ...settings }, now, audit) {
      if ((await store.destinations(settings.accountId)).length >= MAX_DESTINATIONS)
        throw new InvalidDestination('name', `an account has at most ${MAX_DESTINATIONS} destinations`);
      const id = makeId('dst', now);
      checkKind(settings);
      const { secret, ...place } = await placeOf({ ...settings, id }, url);
      const fixed = { createdAt: now, since: now, disabled: null };
      const destination: Destination = { ...settings, ...place, ...fixed, id };
      const detail = `${place.address}: ${listOf(settings.types)}`;
      await store.saveDestination(destination, audit('destination.create', describe(destination), detail));
      return { destination, secret };
    },
    async change(destination, edit, now, audit) {
      checkKind({ ...destination, ...edit });
      const place = edit.url === undefined ? undefined : await placeOf(destination, edit.url);
      const { changes, words } = changesOf(destination, edit, now, place);
      if (words.length === 0) return destination;
      const { accountId, id } = destination;
      const entry = audit('destination.change', describe(destination), words.join(', '));
      return (await store.changeDestination(accountId, id, changes, entry)) ?? destination;
    },
    async rotate(destination, { atOnce }, now, audit) {
      const { kind, id, accountId, secrets: old } = destination;
      if (kind !== 'webhook')
        throw new InvalidDestination('destination', 'only a webhook has a secret of its own');
      const secret = makeWebhookSecret();
      const until = now + SECRET_OVERLAP_MS;
      const previous = atOnce || old.current === null ? null : { text: old.current, until };
      const secrets = { current: box.encrypt(secret, id), previous };
      const detail = previous === null ? 'old secret ended' : 'old secret signs for another day';
      const entry = audit('destination.rotate', describe(destination), detail);
      await store.changeDestination(accountId, id, { secrets }, entry);
      return { destination: { ...destination, secrets }, secret };
    },
    async remove(destination, audit) {
      const { accountId, id } = destination;
      await store.removeDestination(accountId, id, audit('destination.remove', describe(destination), ''));
    },
    async test(destination, now) {
      const { id: destinationId, accountId } = destination;
      const event = { destinationId, accountId, type: 'test', at: now, data: {} } as const;
      const id = await store.saveDirectEvent(event);
      return id === undefined ? undefined : tryNow(destination, id);
    },
    replay({ accountId, id, ...destination }, eventId, now, audit) {
      const entry = audit('destination.replay', describe(destination), eventId);
      return store.replayDelivery(accountId, id, eventId, now, entry);
    },
  };
}

/** The URL of an incoming webhook of Slack is a secret: with it, anybody can post to the channel. */
function createPlaceOf(options: DestinationAdminOptions) {
  const { box } = options;
  return async (
    { kind, accountId, id }: Pick<Destination, 'kind' | 'accountId' | 'id'>,
    url: string,
  ): Promise<Place> => {
    if (kind === 'email') {
      const address = await readRecipient(accountId, url, options);
      return { address, secrets: { current: null, previous: null }, secret: null };
    }
    const parsed = parseUrl(url, options);
    const secret = kind === 'slack' ? null : makeWebhookSecret();
    const current = box.encrypt(secret ?? parsed.href, id);
    return {
      address: kind === 'slack' ? parsed.host : parsed.href,
      secrets: { current, previous: null },
      secret,
    };
  };
}

/** @returns only what differs, with a word for each for the audit log */
function changesOf(
  destination: Destination,
  { name, types, verdicts, digestHour, enabled }: DestinationEdit,
  now: number,
  place: Pick<Destination, 'address' | 'secrets'> | undefined,
): { readonly changes: DestinationChanges; readonly words: string[] } {
  const changes: { -readonly [Name in keyof DestinationChanges]: DestinationChanges[Name] } = {};
  const words: string[] = [];
  if (name !== undefined && name !== destination.name) {
    changes.name = name;
    words.push(`name ${fromTo(destination.name, name)}`);
  }
  if (place !== undefined) {
    if (destination.kind === 'slack' || place.address !== destination.address) {
      changes.address = place.address;
      // The secret of a webhook stays: its receiver knows it.
      if (destination.kind === 'slack') changes.secrets = place.secrets;
      const noun = destination.kind === 'email' ? 'address' : 'URL';
      words.push(`${noun} ${fromTo(destination.address, place.address)}`);
    }
  }
  if (types !== undefined && listOf(types) !== listOf(destination.types)) {
    changes.types = types;
    words.push(`events ${fromTo(listOf(destination.types), listOf(types))}`);
  }
  if (verdicts !== undefined && listOf(verdicts) !== listOf(destination.verdicts)) {
    changes.verdicts = verdicts;
    words.push(`verdicts ${fromTo(listOf(destination.verdicts), listOf(verdicts))}`);
  }
  if (digestHour !== undefined && digestHour !== destination.digestHour) {
    changes.digestHour = digestHour;
    words.push(`daily summary ${fromTo(hourOf(destination.digestHour), hourOf(digestHour))}`);
  }
  if (enabled !== undefined && enabled !== (destination.disabled === null)) {
    changes.disabled = enabled ? null : { at: now, reason: 'person' };
    words.push(enabled ? 'enabled' : 'disabled');
  }
  // Signups of before were not wanted, and no summary of today.
  const isNew = [changes.types, changes.verdicts, changes.digestHour].some((value) => value !== undefined);
  if (isNew || enabled === true) changes.since = now;
  return { changes, words };
}

/** @throws InvalidDestination where its kind cannot do what it is to do */
function checkKind({ kind, types, digestHour }: Pick<NewDestination, 'kind' | 'types' | 'digestHour'>): void {
  if (kind !== 'email' && digestHour !== null)
    throw new InvalidDestination('digest_hour', 'only e-mail brings a daily summary');
  const tooMany = kind === 'email' ? types.find((type) => !EMAIL_EVENT_TYPES.includes(type)) : undefined;
  if (tooMany !== undefined)
    throw new InvalidDestination(
      'types',
      `e-mail does not get ${tooMany}, which may come by the thousand: use a webhook or Slack`,
    );
}

/** @throws InvalidDestination */
async function readRecipient(
  accountId: string,
  url: string,
  { hasMail, recipientOf }: Pick<DestinationAdminOptions, 'hasMail' | 'recipientOf'>,
): Promise<string> {
  if (!hasMail)
    throw new InvalidDestination(
      'kind',
      'this installation sends no mail: the operator sets GATEHOUSE_SMTP_URL',
    );
  const address = url
    .replace(/^mailto:/i, '')
    .trim()
    .toLowerCase();
  const recipient = url.length <= MAX_URL_LENGTH ? await recipientOf(accountId, address) : 'stranger';
  if (recipient === 'known') return address;
  throw new InvalidDestination(
    'url',
    recipient === 'stranger'
      ? 'the address must be that of a person who belongs to the account'
      : 'nobody has confirmed that this address belongs to the person: the operator does so on the page People, or with `gatehouse user verify`',
  );
}

function describe({ kind, name }: Pick<Destination, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

function hourOf(hour: number | null): string {
  return hour === null ? 'off' : `${hour}:00`;
}

function listOf(words: readonly string[]): string {
  return words.length === 0 ? 'none' : words.join(' ');
}

/** @throws InvalidDestination; what its name leads to is checked with each connection */
function parseUrl(text: string, { allowsPrivate }: Pick<DestinationAdminOptions, 'allowsPrivate'>): URL {
  const url = URL.canParse(text) && text.length <= MAX_URL_LENGTH ? new URL(text) : undefined;
  const isWeb =
    url !== undefined && (url.protocol === 'https:' || (allowsPrivate && url.protocol === 'http:'));
  if (url === undefined || !isWeb)
    throw new InvalidDestination(
      'url',
      allowsPrivate
        ? 'the URL must begin with http:// or https://'
        : 'the URL must begin with https://, unless the operator sets GATEHOUSE_WEBHOOKS_PRIVATE=on',
    );
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    throw new InvalidDestination('url', 'the URL may have no user name, password or fragment');
  if (allowsPrivate) return url;
  const host = hostOf(url);
  const isPublic = isIP(host) === 0 ? !isInsideName(host) : isPublicAddress(host);
  if (!isPublic || url.port !== '')
    throw new InvalidDestination(
      'url',
      'the URL must lead to a public server on port 443, unless the operator sets GATEHOUSE_WEBHOOKS_PRIVATE=on',
    );
  return url;
}
