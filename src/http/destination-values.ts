/** Destinations of events, and deliveries, as both APIs read and show them. */
import type {
  ManageDelivery,
  ManageDestination,
  ManageDestinationTest,
} from '../contract/manage-destination-messages.ts';
import { InvalidDestination } from '../events/destination-admin.ts';
import type { SendResult } from '../events/send.ts';
import { DELIVERY_STATES, type Delivery, type DeliveryState, type Destination } from '../model/event.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { EventStore } from '../store/event-store.ts';
import { readLimit, unusable } from './dashboard-values.ts';

export const MAX_DESTINATION_NAME = 100;
export const DEFAULT_VERDICTS = ['challenge', 'block'] as const;

/** @throws Problem `invalid_value` instead of InvalidDestination */
export function throwDestinationProblem(error: Error): never {
  if (!(error instanceof InvalidDestination)) throw error;
  const message = `${error.message[0]?.toUpperCase()}${error.message.slice(1)}.`;
  throw unusable(error.param, message, 'Change this value and send it again.');
}

export function showDestination(destination: Destination): ManageDestination {
  const { previous } = destination.secrets;
  return {
    id: destination.id,
    account_id: destination.accountId,
    kind: destination.kind,
    name: destination.name,
    address: destination.address,
    types: [...destination.types],
    verdicts: [...destination.verdicts],
    digest_hour: destination.digestHour,
    old_secret_until: previous === null ? null : toTimestamp(previous.until),
    created_at: toTimestamp(destination.createdAt),
    disabled_at: destination.disabled && toTimestamp(destination.disabled.at),
    disabled_reason: destination.disabled?.reason ?? null,
  };
}

/** `undefined`: another process was faster, and its outcome is in the log of deliveries. */
export function showTest(result: SendResult | undefined): ManageDestinationTest {
  const { outcome = 'pending', status = null } = result ?? {};
  const problem = result !== undefined && 'problem' in result ? result.problem : null;
  return { delivered: outcome === 'delivered', status, problem };
}

/** A page of the log of deliveries, as the query asks for it. @throws Problem `invalid_value` */
export async function readDeliveries(
  store: Pick<EventStore, 'deliveries'>,
  { accountId, id }: Destination,
  query: Readonly<Record<string, string | undefined>>,
): Promise<{ data: ManageDelivery[]; next: string | null }> {
  const page = {
    state: readState(query.state),
    after: readAfter(query.after),
    limit: readLimit(query.limit),
  };
  const { deliveries, next } = await store.deliveries(accountId, id, page);
  return { data: deliveries.map(showDelivery), next: next === null ? null : String(next) };
}

function showDelivery({ event, state, tries, triedAt, nextAt, status, problem }: Delivery): ManageDelivery {
  const isWaiting = state === 'pending' && nextAt > 0;
  return {
    event_id: event.id,
    type: event.type,
    object: event.object,
    happened_at: toTimestamp(event.at),
    state,
    tries,
    tried_at: triedAt === null ? null : toTimestamp(triedAt),
    next_try_at: isWaiting ? toTimestamp(nextAt) : null,
    status,
    problem,
  };
}

function readState(text: string | undefined): DeliveryState | undefined {
  const state = DELIVERY_STATES.find((each) => each === text);
  if (state === undefined && text !== undefined && text !== '')
    throw unusable(
      'state',
      '`state` is no state of a delivery.',
      `Send one of ${DELIVERY_STATES.join(', ')}.`,
    );
  return state;
}

function readAfter(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw unusable(
    'after',
    '`after` is no position in the list.',
    'Send the `next` of the previous page unchanged.',
  );
}
