/** …/destinations: where an account is told what happens; its changes, test messages, and the log of deliveries with replays. */
import type {
  DeliveriesPage,
  DestinationChangesBody,
  DestinationRotationBody,
  DestinationRow,
  DestinationSecret,
  DestinationsPage,
  NewDestinationBody,
} from '../contract/dashboard-destinations.ts';
import type { ManageDestinationTest, ManageReplay } from '../contract/manage-destination-messages.ts';
import { Problem } from '../contract/problem.ts';
import type {
  DestinationAdmin,
  DestinationEdit,
  DestinationWithSecret,
} from '../events/destination-admin.ts';
import { DESTINATION_KINDS, type Destination, EVENT_TYPES, EVENT_VERDICTS } from '../model/event.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { PeopleStore } from '../store/dashboard-store.ts';
import type { DestinationStore, EventStore } from '../store/event-store.ts';
import { instantOrNull, toInstant } from './dashboard-history.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, FLAG, lineOf, TEXT } from './dashboard-values.ts';
import {
  MAX_DESTINATION_NAME,
  readDeliveries,
  showDestination,
  showTest,
  throwDestinationProblem,
} from './destination-values.ts';
import { destinationFacts } from './state-facts.ts';
import { requireVersion, versionOf } from './state-version.ts';

export interface DestinationRoutesOptions {
  readonly store: Pick<DestinationStore, 'destinations'> &
    Pick<EventStore, 'deliveries' | 'deliverySummary'> &
    Pick<AuditStore, 'auditEntries'> &
    Pick<PeopleStore, 'memberships' | 'findUser'>;
  readonly destinations: DestinationAdmin;
}

type Store = DestinationRoutesOptions['store'];
type Named = Pick<AccountCall<unknown>, 'account' | 'params' | 'query'>;

const PATH = '/accounts/:account/destinations';
const ONE = `${PATH}/:destination`;
const HOUR = { anyOf: [{ type: 'integer', minimum: 0, maximum: 23 }, { type: 'null' }] };
const CHANGES = {
  name: TEXT,
  url: { type: 'string', maxLength: 2_000 },
  types: { type: 'array', uniqueItems: true, items: { enum: EVENT_TYPES } },
  verdicts: { type: 'array', uniqueItems: true, items: { enum: EVENT_VERDICTS } },
  digest_hour: HOUR,
};
const NEW = ['kind', 'name', 'url', 'types', 'verdicts'];

export function destinationRoutes(routes: DashboardRoutes, options: DestinationRoutesOptions): void {
  const { store, destinations: admin } = options;

  routes.forAccount({
    method: 'GET',
    path: PATH,
    minRole: 'owner',
    async handle(call): Promise<DestinationsPage> {
      const found = await store.destinations(call.account.id);
      return {
        destinations: await Promise.all(found.map((each) => show(store, each))),
        recipients: admin.hasMail ? await recipientsOf(store, call) : null,
      };
    },
  });

  routes.forAccount<NewDestinationBody>({
    method: 'POST',
    path: PATH,
    minRole: 'owner',
    body: bodyOf({ kind: { enum: DESTINATION_KINDS }, ...CHANGES }, NEW),
    async handle({ account, body, now, auditEntry }): Promise<DestinationSecret> {
      const { digest_hour: digestHour = null, ...settings } = body;
      const name = lineOf('name', body.name, MAX_DESTINATION_NAME);
      const wanted = { ...settings, name, digestHour, accountId: account.id };
      return withSecret(store, await admin.create(wanted, now, auditEntry).catch(throwDestinationProblem));
    },
  });

  changeRoutes(routes, options);
  deliveryRoutes(routes, options);
}

function changeRoutes(
  routes: DashboardRoutes,
  { store, destinations: admin }: DestinationRoutesOptions,
): void {
  routes.forAccount<DestinationChangesBody>({
    method: 'PATCH',
    path: ONE,
    minRole: 'owner',
    body: bodyOf({ ...CHANGES, enabled: FLAG }, []),
    async handle(call): Promise<DestinationRow> {
      const destination = await findCurrent(store, call);
      const changed = admin.change(destination, readEdit(call.body), call.now, call.auditEntry);
      return show(store, await changed.catch(throwDestinationProblem));
    },
  });

  routes.forAccount<DestinationRotationBody>({
    method: 'POST',
    path: `${ONE}/rotate`,
    minRole: 'owner',
    body: bodyOf({ at_once: FLAG }, []),
    async handle(call): Promise<DestinationSecret> {
      const atOnce = call.body.at_once ?? false;
      const destination = await findCurrent(store, call);
      const rotated = admin.rotate(destination, { atOnce }, call.now, call.auditEntry);
      return withSecret(store, await rotated.catch(throwDestinationProblem));
    },
  });

  routes.forAccount({
    method: 'DELETE',
    path: ONE,
    minRole: 'owner',
    async handle(call): Promise<void> {
      await admin.remove(await findCurrent(store, call), call.auditEntry);
    },
  });
}

/** @throws Problem where somebody else changed it since the caller has read it */
async function findCurrent(store: Store, call: Named): Promise<Destination> {
  const destination = await findDestination(store, call);
  const facts = destinationFacts(destination);
  await requireVersion(call.query.version, facts, { store, accountId: call.account.id });
  return destination;
}

async function show(store: Store, destination: Destination): Promise<DestinationRow> {
  const { waiting, failed, deliveredAt, last } = await store.deliverySummary(destination.id);
  const { account_id: _, ...shown } = showDestination(destination);
  return {
    ...shown,
    version: versionOf(destinationFacts(destination)),
    waiting,
    failed,
    delivered_at: instantOrNull(deliveredAt),
    last: last && { state: last.state, at: toInstant(last.triedAt as number), problem: last.problem },
  };
}

async function withSecret(
  store: Store,
  { destination, secret }: DestinationWithSecret,
): Promise<DestinationSecret> {
  return { destination: await show(store, destination), secret };
}

/** Addresses to choose from: those of confirmed people of the account, and the operator who looks at it. */
async function recipientsOf(store: Store, { account, user }: AccountCall<unknown>): Promise<string[]> {
  const members = await store.memberships({ accountId: account.id });
  const people = await Promise.all(members.map(({ userId }) => store.findUser(userId)));
  const known = [...people, ...(user.operator ? [user] : [])].filter((person) => person?.verified === true);
  return [...new Set(known.map((person) => person?.email as string))].sort();
}

function deliveryRoutes(
  routes: DashboardRoutes,
  { store, destinations: admin }: DestinationRoutesOptions,
): void {
  routes.forAccount({
    method: 'POST',
    path: `${ONE}/test`,
    minRole: 'owner',
    async handle(call): Promise<ManageDestinationTest> {
      return showTest(await admin.test(await findDestination(store, call), call.now));
    },
  });

  routes.forAccount({
    method: 'GET',
    path: `${ONE}/deliveries`,
    minRole: 'owner',
    async handle(call): Promise<DeliveriesPage> {
      return readDeliveries(store, await findDestination(store, call), call.query);
    },
  });

  routes.forAccount({
    method: 'POST',
    path: `${ONE}/deliveries/:event/replay`,
    minRole: 'owner',
    async handle(call): Promise<ManageReplay> {
      const destination = await findDestination(store, call);
      const { event = '' } = call.params;
      if (await admin.replay(destination, event, call.now, call.auditEntry))
        return { event_id: event, state: 'pending' };
      throw new Problem('not_found', undefined, {
        message: 'This destination has no delivery of this event.',
        resolution: 'Load the log again: deliveries are removed after 30 days.',
      });
    },
  });
}

async function findDestination(
  store: Pick<DestinationStore, 'destinations'>,
  { account, params }: Named,
): Promise<Destination> {
  const found = (await store.destinations(account.id)).find(({ id }) => id === params.destination);
  if (found !== undefined) return found;
  throw new Problem('not_found', undefined, {
    message: 'This account has no destination with this id.',
    resolution: 'Load the page again: somebody may have removed it.',
  });
}

function readEdit({ name: sent, digest_hour: digestHour, ...edit }: DestinationChangesBody): DestinationEdit {
  const changes = {
    ...edit,
    digestHour,
    name: sent === undefined ? undefined : lineOf('name', sent, MAX_DESTINATION_NAME),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
