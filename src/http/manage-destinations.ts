/** /v1/manage/accounts/{account}/destinations: where an account is told what happens, and what was delivered. */

import type {
  ManageDelivery,
  ManageDestination,
  ManageDestinationChanges,
  ManageDestinationRequest,
  ManageDestinationRotation,
  ManageDestinationSecret,
  ManageDestinationTest,
} from '../contract/manage-destination-messages.ts';
import { manageProblem } from '../contract/manage-problems.ts';
import {
  type DestinationAdmin,
  type DestinationWithSecret,
  InvalidDestination,
} from '../events/destination-admin.ts';
import { DELIVERY_STATES, type Delivery, type DeliveryState, type Destination } from '../model/event.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { DestinationStore, EventStore } from '../store/event-store.ts';
import { lineOf, readLimit, unusable } from './dashboard-values.ts';
import { type ManageAccountCall, type ManageRoutes, toPage } from './manage-route.ts';

export interface ManageDestinationsOptions {
  readonly store: Pick<DestinationStore, 'destinations'> & Pick<EventStore, 'deliveries'>;
  readonly destinations: DestinationAdmin;
}

type Named = Pick<ManageAccountCall<unknown>, 'account' | 'params'>;

const MAX_NAME_LENGTH = 100;
const VERDICTS = ['challenge', 'block'] as const;

export function manageDestinationRoutes(routes: ManageRoutes, options: ManageDestinationsOptions): void {
  const { store, destinations: admin } = options;
  async function find({ account, params }: Named): Promise<Destination> {
    const found = (await store.destinations(account.id)).find(({ id }) => id === params.destination);
    if (found === undefined) throw manageProblem('not_found');
    return found;
  }

  routes.forAccount('listDestinations', async ({ account, query }) =>
    toPage(await store.destinations(account.id), query, toManage),
  );
  routes.forAccount<ManageDestinationRequest>('createDestination', async (call) => {
    const { kind, url, types, verdicts = VERDICTS } = call.body;
    const name = lineOf('name', call.body.name, MAX_NAME_LENGTH);
    const wanted = { accountId: call.account.id, kind, name, url, types, verdicts };
    return withSecret(await admin.create(wanted, call.now, call.auditEntry).catch(throwProblem));
  });
  routes.forAccount('getDestination', async (call) => toManage(await find(call)));
  routes.forAccount<ManageDestinationChanges>('updateDestination', async (call) => {
    const { name: sent, ...edit } = call.body;
    const name = sent === undefined ? {} : { name: lineOf('name', sent, MAX_NAME_LENGTH) };
    const changed = admin.change(await find(call), { ...edit, ...name }, call.now, call.auditEntry);
    return toManage(await changed.catch(throwProblem));
  });
  routes.forAccount<ManageDestinationRotation>('rotateDestination', async (call) => {
    const options = { atOnce: call.body.at_once ?? false };
    return withSecret(
      await admin.rotate(await find(call), options, call.now, call.auditEntry).catch(throwProblem),
    );
  });
  routes.forAccount('removeDestination', async (call) => {
    const destination = await find(call);
    await admin.remove(destination, call.auditEntry);
    return toManage(destination);
  });
  routes.forAccount('testDestination', async (call) => {
    const result = await admin.test(await find(call), call.now);
    const { outcome = 'pending', status = null } = result ?? {};
    const problem = result !== undefined && 'problem' in result ? result.problem : null;
    return { delivered: outcome === 'delivered', status, problem } satisfies ManageDestinationTest;
  });
  deliveryRoutes(routes, options, find);
}

function deliveryRoutes(
  routes: ManageRoutes,
  { store, destinations: admin }: ManageDestinationsOptions,
  find: (call: Named) => Promise<Destination>,
): void {
  routes.forAccount('listDeliveries', async (call) => {
    const { id } = await find(call);
    const page = { state: readState(call.query.state), after: readAfter(call.query.after) };
    const { deliveries, next } = await store.deliveries(call.account.id, id, {
      ...page,
      limit: readLimit(call.query.limit),
    });
    return { data: deliveries.map(toManageDelivery), next: next === null ? null : String(next) };
  });
  routes.forAccount('replayDelivery', async (call) => {
    const destination = await find(call);
    const { event = '' } = call.params;
    if (!(await admin.replay(destination, event, call.now, call.auditEntry)))
      throw manageProblem('not_found');
    return { event_id: event, state: 'pending' };
  });
}

function withSecret({ destination, secret }: DestinationWithSecret): ManageDestinationSecret {
  return { ...toManage(destination), secret };
}

/** @throws Problem */
function throwProblem(error: Error): never {
  if (!(error instanceof InvalidDestination)) throw error;
  const message = `${error.message[0]?.toUpperCase()}${error.message.slice(1)}.`;
  throw manageProblem('invalid_value', error.param, { message });
}

function toManage(destination: Destination): ManageDestination {
  const { previous } = destination.secrets;
  return {
    id: destination.id,
    account_id: destination.accountId,
    kind: destination.kind as ManageDestination['kind'],
    name: destination.name,
    address: destination.address,
    types: [...destination.types],
    verdicts: [...destination.verdicts],
    old_secret_until: previous === null ? null : toTimestamp(previous.until),
    created_at: toTimestamp(destination.createdAt),
    disabled_at: destination.disabled && toTimestamp(destination.disabled.at),
    disabled_reason: destination.disabled?.reason ?? null,
  };
}

function toManageDelivery({
  event,
  state,
  tries,
  triedAt,
  nextAt,
  status,
  problem,
}: Delivery): ManageDelivery {
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
