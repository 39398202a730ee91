/** Messages of the dashboard's API about destinations of events: webhooks, Slack and e-mail. */
import type { DeliveryState, DestinationKind, EventType, EventVerdict } from '../model/event.ts';
import type { ManageDelivery, ManageDestination } from './manage-destination-messages.ts';

export interface DestinationRow extends Omit<ManageDestination, 'account_id'> {
  /** Send it with a change: it is refused if somebody else changed the destination meanwhile. */
  readonly version: string;
  /** Deliveries that wait, and that were given up, among the newest 500. */
  readonly waiting: number;
  readonly failed: number;
  readonly delivered_at: string | null;
  /** The newest that was tried; `null`: none was. */
  readonly last: {
    readonly state: DeliveryState;
    readonly at: string;
    readonly problem: string | null;
  } | null;
}

export interface DestinationsPage {
  readonly destinations: readonly DestinationRow[];
  /** Addresses that e-mail may be sent to; `null`: the installation sends none. */
  readonly recipients: readonly string[] | null;
}

export interface NewDestinationBody {
  readonly kind: DestinationKind;
  readonly name: string;
  readonly url: string;
  readonly types: readonly EventType[];
  readonly verdicts: readonly EventVerdict[];
  readonly digest_hour?: number | null | undefined;
}

/** Absent members do not change. */
export interface DestinationChangesBody extends Partial<Omit<NewDestinationBody, 'kind'>> {
  readonly enabled?: boolean | undefined;
}

export interface DestinationRotationBody {
  /** Ends the old secret at once; otherwise it signs for another day. */
  readonly at_once?: boolean | undefined;
}

/** The only answer that ever holds a webhook's secret; `null`: it has none of ours. */
export interface DestinationSecret {
  readonly destination: DestinationRow;
  readonly secret: string | null;
}

export interface DeliveriesPage {
  /** Newest first. */
  readonly data: readonly ManageDelivery[];
  /** Send it as `after` for the next page; `null` at the end. */
  readonly next: string | null;
}
