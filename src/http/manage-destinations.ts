/** /v1/manage/accounts/{account}/destinations: where an account is told what happens, and what was delivered. */
import type {
  ManageDestinationChanges,
  ManageDestinationRequest,
  ManageDestinationRotation,
  ManageDestinationSecret,
} from '../contract/manage-destination-messages.ts';
import { manageProblem } from '../contract/manage-problems.ts';
import type { DestinationAdmin, DestinationWithSecret } from '../events/destination-admin.ts';
import type { Destination } from '../model/event.ts';
import type { DestinationStore, EventStore } from '../store/event-store.ts';
import { lineOf } from './dashboard-values.ts';
import {
  DEFAULT_VERDICTS,
  MAX_DESTINATION_NAME,
  readDeliveries,
  showDestination,
  showTest,
  throwDestinationProblem,
} from './destination-values.ts';
import { type ManageAccountCall, type ManageRoutes, toPage } from './manage-route.ts';

export interface ManageDestinationsOptions {
  readonly store: Pick<DestinationStore, 'destinations'> & Pick<EventStore, 'deliveries'>;
  readonly destinations: DestinationAdmin;
}

type Named = Pick<ManageAccountCall<unknown>, 'account' | 'params'>;

export function manageDestinationRoutes(routes: ManageRoutes, options: ManageDestinationsOptions): void {
  const { store, destinations: admin } = options;
  async function find({ account, params }: Named): Promise<Destination> {
    const found = (await store.destinations(account.id)).find(({ id }) => id === params.destination);
    if (found === undefined) throw manageProblem('not_found');
    return found;
  }

  routes.forAccount('listDestinations', async ({ account, query }) =>
    toPage(await store.destinations(account.id), query, showDestination),
  );
  routes.forAccount<ManageDestinationRequest>('createDestination', async (call) => {
    const { kind, url, types, verdicts = DEFAULT_VERDICTS, digest_hour: digestHour = null } = call.body;
    const name = lineOf('name', call.body.name, MAX_DESTINATION_NAME);
    const wanted = { accountId: call.account.id, kind, name, url, types, verdicts, digestHour };
    return withSecret(await admin.create(wanted, call.now, call.auditEntry).catch(throwDestinationProblem));
  });
  routes.forAccount('getDestination', async (call) => showDestination(await find(call)));
  routes.forAccount<ManageDestinationChanges>('updateDestination', async (call) => {
    const { name: sent, digest_hour: digestHour, ...edit } = call.body;
    const name = sent === undefined ? {} : { name: lineOf('name', sent, MAX_DESTINATION_NAME) };
    const hour = digestHour === undefined ? {} : { digestHour };
    const changed = admin.change(await find(call), { ...edit, ...name, ...hour }, call.now, call.auditEntry);
    return showDestination(await changed.catch(throwDestinationProblem));
  });
  routes.forAccount<ManageDestinationRotation>('rotateDestination', async (call) => {
    const options = { atOnce: call.body.at_once ?? false };
    return withSecret(
      await admin.rotate(await find(call), options, call.now, call.auditEntry).catch(throwDestinationProblem),
    );
  });
  routes.forAccount('removeDestination', async (call) => {
    const destination = await find(call);
    await admin.remove(destination, call.auditEntry);
    return showDestination(destination);
  });
  routes.forAccount('testDestination', async (call) =>
    showTest(await admin.test(await find(call), call.now)),
  );
  deliveryRoutes(routes, options, find);
}

function deliveryRoutes(
  routes: ManageRoutes,
  { store, destinations: admin }: ManageDestinationsOptions,
  find: (call: Named) => Promise<Destination>,
): void {
  routes.forAccount('listDeliveries', async (call) => readDeliveries(store, await find(call), call.query));
  routes.forAccount('replayDelivery', async (call) => {
    const destination = await find(call);
    const { event = '' } = call.params;
    if (!(await admin.replay(destination, event, call.now, call.auditEntry)))
      throw manageProblem('not_found');
    return { event_id: event, state: 'pending' };
  });
}

function withSecret({ destination, secret }: DestinationWithSecret): ManageDestinationSecret {
  return { ...showDestination(destination), secret };
}
