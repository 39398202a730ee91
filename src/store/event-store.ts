/** Port for destinations of an account, for events, and for their deliveries. */
import type {
  Delivery,
  DeliveryState,
  Destination,
  DestinationSecrets,
  EventType,
  EventVerdict,
  MessageType,
  NewEvent,
} from '../model/event.ts';
import type { TimeZone } from '../model/time-zone.ts';
import type { AuditEntries } from './audit-store.ts';

/** Changes of a destination; absent members do not change. */
export interface DestinationChanges {
  readonly name?: string | undefined;
  readonly address?: string | undefined;
  readonly types?: readonly EventType[] | undefined;
  readonly verdicts?: readonly EventVerdict[] | undefined;
  readonly digestHour?: number | null | undefined;
  readonly secrets?: DestinationSecrets | undefined;
  readonly disabled?: Destination['disabled'] | undefined;
  /** Instant since which signups are told: now, where its types change or it is enabled. */
  readonly since?: number | undefined;
}

export interface DestinationStore {
  /** Stores a new destination of an account, which must exist. */
  saveDestination(destination: Destination, ...audit: AuditEntries): Promise<void>;
  /** Writes only what `changes` names. @returns it afterwards; `undefined` where the account has none with this id */
  changeDestination(
    accountId: string,
    id: string,
    changes: DestinationChanges,
    ...audit: AuditEntries
  ): Promise<Destination | undefined>;
  /**
   * Disables a destination that wants no more. Nothing happens where somebody disabled it meanwhile, or changed where it leads.
   * @returns whether it was disabled
   */
  disableDestination(
    destination: Destination,
    disabled: NonNullable<Destination['disabled']>,
    ...audit: AuditEntries
  ): Promise<boolean>;
  /** Removes it with its deliveries. @returns whether the account had it */
  removeDestination(accountId: string, id: string, ...audit: AuditEntries): Promise<boolean>;
  /** Oldest first. */
  destinations(accountId: string): Promise<readonly Destination[]>;
}

/** Outcome of a try. */
export interface DeliveryOutcome {
  /** `pending`: it is tried again at `nextAt`. */
  readonly state: DeliveryState;
  readonly nextAt: number;
  readonly triedAt: number;
  readonly status: number | null;
  readonly problem: string | null;
}

/** An event for one destination that did not choose it. */
export interface DirectEvent {
  readonly destinationId: string;
  readonly accountId: string;
  readonly type: Exclude<MessageType, EventType>;
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** Pass it as `after` for the next page; `null` at the end. */
  readonly next: number | null;
}

export interface DeliverySummary {
  readonly waiting: number;
  readonly failed: number;
  readonly deliveredAt: number | null;
  /** The newest that was tried; `null`: none was. */
  readonly last: Pick<Delivery, 'state' | 'triedAt' | 'status' | 'problem'> | null;
}

export interface EventStore {
  /** Stores an event where an enabled destination of the account wants it. Prefer `eventStatement` in the transaction of what happened. */
  saveEvent(event: NewEvent): Promise<void>;
  /** Stores an event for one destination. @returns its id; `undefined` where there is no such destination */
  saveDirectEvent(event: DirectEvent): Promise<string | undefined>;
  /** Stores the summary of a day of the account for one destination, once, whichever node comes first. @returns whether it did */
  saveDigest(event: DirectEvent, day: string): Promise<boolean>;
  /** Notes that nothing of a day was worth a summary. */
  skipDigest(destinationId: string, day: string): Promise<void>;
  /** Enabled destinations of all accounts that get a summary. */
  digestDestinations(): Promise<readonly DigestDestination[]>;

  /** Enabled destinations that a due delivery waits for, and that are not paused. */
  waitingDestinations(now: number): Promise<readonly Destination[]>;
  /**
   * Begins tries: at most `limit`, of each object only its oldest delivery that is not over. Nobody else begins them before
   * `leaseUntil`.
   */
  beginTries(
    destinationId: string,
    options: { readonly now: number; readonly leaseUntil: number; readonly limit: number },
  ): Promise<readonly Delivery[]>;
  /** Begins the try of one delivery, whatever waits before it. `undefined` where there is none. */
  beginTry(
    destinationId: string,
    eventId: string,
    options: { readonly now: number; readonly leaseUntil: number },
  ): Promise<Delivery | undefined>;
  /** Frees tries whose lease ends before an instant: nobody makes them any more. Such as wait for less are tried a little early. */
  freeTries(before: number): Promise<void>;
  /** Nothing happens where a later try has begun. */
  endTry(
    delivery: Pick<Delivery, 'event' | 'destinationId' | 'tries'>,
    result: DeliveryOutcome,
  ): Promise<void>;
  /** Leaves a destination alone until then. */
  pauseDestination(id: string, until: number): Promise<void>;

  /** State of the newest deliveries to a destination, at most 500. */
  deliverySummary(destinationId: string): Promise<DeliverySummary>;
  /** Newest first. @param after of the page before */
  deliveries(
    accountId: string,
    destinationId: string,
    options: {
      readonly state?: DeliveryState | undefined;
      readonly after?: number | null;
      readonly limit: number;
    },
  ): Promise<DeliveryPage>;
  /** Delivers again what was delivered, failed or waits, at once, for another day. @returns whether there is such a delivery */
  replayDelivery(
    accountId: string,
    destinationId: string,
    eventId: string,
    now: number,
    ...audit: AuditEntries
  ): Promise<boolean>;
  /** Removes events that happened before; of pending ones those whose time is over. @returns how many */
  pruneEvents(before: number, maxPruned: number): Promise<number>;

  /**
   * Signups that destinations want, of all accounts, and the instant from which on they may not be events yet; `undefined`
   * where nobody wants any.
   */
  wantedSignups(): Promise<WantedSignups | undefined>;
  /** Stores events of signups, once each, and that all before `until` are stored. */
  saveSignupEvents(events: readonly NewEvent[], until: number): Promise<void>;
}

/** One that gets a summary. */
export interface DigestDestination {
  readonly id: string;
  readonly accountId: string;
  readonly hour: number;
  readonly timeZone: TimeZone;
  /** The account's day of the last one, or of the last that had nothing, `2026-05-10`; empty before the first. */
  readonly lastDay: string;
  /** Instant since which it wants them. */
  readonly since: number;
}

export interface WantedSignups {
  readonly since: number;
  /** Account → verdicts. */
  readonly verdicts: ReadonlyMap<string, ReadonlySet<EventVerdict>>;
}
