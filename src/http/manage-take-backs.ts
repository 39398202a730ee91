/** /v1/manage/accounts/{account}/takebacks: jobs that hold the accounts of people who got in, for programs. */
import type { Directory } from '../accounts/directory.ts';
import { manageProblem } from '../contract/manage-problems.ts';
import type { ManageTakeBackRequest } from '../contract/manage-take-back-messages.ts';
import type { ProviderConnection, TakeBackJob } from '../model/take-back.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import { reportedAs } from '../signup/label-effect.ts';
import type { HistoryStore } from '../store/history-store.ts';
import type { ProviderConnectionStore, TakeBackStore } from '../store/take-back-store.ts';
import type { JobAdmin } from '../takeback/job-admin.ts';
import { requireIndexed, toInstant } from './dashboard-history.ts';
import { readLimit, unusable } from './dashboard-values.ts';
import { createWorkPlaces } from './dashboard-work-places.ts';
import { type ManageAccountCall, type ManageRoutes, toPage } from './manage-route.ts';
import {
  isInAnotherState,
  JOB_ACTIONS,
  nobodyWasLetIn,
  showJob,
  showJobAmong,
  TAKE_BACK_PLACES,
  toSignups,
} from './take-back-jobs.ts';
import {
  createFindSignups,
  type SignupsToTakeBack,
  type TakeBackSignupsOptions,
} from './take-back-signups.ts';

export interface ManageTakeBacksOptions extends TakeBackSignupsOptions {
  readonly store: TakeBackSignupsOptions['store'] &
    Pick<HistoryStore, 'indexing'> &
    Pick<ProviderConnectionStore, 'connections'> &
    Pick<TakeBackStore, 'takeBackJob' | 'takeBackJobs' | 'takeBackCounts'>;
  readonly jobs: JobAdmin;
  readonly directory: Pick<Directory, 'hooksOf'>;
}

type Named = Pick<ManageAccountCall<unknown>, 'account' | 'params'>;

/** Jobs of an account that are listed, the newest: they are removed after 30 days. */
const MAX_JOBS = 1_000;

export function manageTakeBackRoutes(routes: ManageRoutes, options: ManageTakeBacksOptions): void {
  const { store, jobs } = options;
  startRoutes(routes, options);

  async function find({ account, params }: Named): Promise<TakeBackJob> {
    const job = await store.takeBackJob(account.id, params.job ?? '');
    if (job === undefined) throw manageProblem('not_found');
    return job;
  }
  const show = async (job: TakeBackJob) => ({ ...(await showJob(store, job)), account_id: job.accountId });

  routes.forAccount('listConnections', async ({ account, query }) =>
    toPage(await store.connections(account.id), query, showConnection),
  );
  routes.forAccount('listTakeBacks', async ({ account, query: { after = '', limit } }) => {
    const size = readLimit(limit);
    const found = await store.takeBackJobs(account.id, MAX_JOBS);
    const rest = after === '' ? found : found.filter(({ id }) => id < after);
    const page = rest.slice(0, size);
    const connections = await store.connections(account.id);
    const rows = page.map((job) => showJobAmong(store, job, connections));
    const data = (await Promise.all(rows)).map((row) => ({ ...row, account_id: account.id }));
    return { data, next: rest.length > size ? (page.at(-1) as TakeBackJob).id : null };
  });
  routes.forAccount('getTakeBack', async (call) => show(await find(call)));
  for (const [name, action] of Object.entries(JOB_ACTIONS))
    routes.forAccount(`${name}TakeBack`, async (call) => {
      const job = await find(call);
      if (await jobs[action](job, call.now, call.auditEntry)) return show(await find(call));
      throw isInAnotherState('Read the job, and look at its state.');
    });
}

function startRoutes(routes: ManageRoutes, options: ManageTakeBacksOptions): void {
  const { store, jobs, directory, attacks } = options;
  const findSignups = createFindSignups(options);
  const places = createWorkPlaces(TAKE_BACK_PLACES);

  async function find({ account, body, now }: ManageAccountCall<ManageTakeBackRequest>) {
    const { connection_id: id, attack, request_ids, ...rest } = body;
    if ((attack === undefined) === (request_ids === undefined))
      throw unusable('attack', 'Signups are chosen in one way.', 'Send either `attack` or `request_ids`.');
    const connection =
      id === null ? null : (await store.connections(account.id)).find((each) => each.id === id);
    if (connection === undefined)
      throw unusable('connection_id', 'There is no such connection.', 'List the connections.');
    await requireIndexed(store);
    const leave = places.enter(account.id);
    try {
      if (attack !== undefined && (await attacks.find(account, attack)) === undefined)
        throw unusable('attack', 'There is no such wave or alert about signups.', 'List the campaigns.');
      const filter = attack === undefined ? {} : { filter: { attack } };
      const choice = { ...rest, ...filter, request_ids, connection_id: id };
      return { connection, found: await findSignups(account, choice, now) };
    } finally {
      leave();
    }
  }

  routes.forAccount<ManageTakeBackRequest>('previewTakeBack', async (call) => {
    const { connection, found } = await find(call);
    const signups = toSignups(found.rows, connection, directory, call.account.id);
    return toPreview(found, signups.filter(({ userId }) => userId !== null).length);
  });
  routes.forAccount<ManageTakeBackRequest>('startTakeBack', async (call) => {
    const { account, now, auditEntry } = call;
    const { connection, found } = await find(call);
    const signups = toSignups(found.rows, connection, directory, account.id);
    if (signups.length === 0) throw nobodyWasLetIn();
    const { name, attack } = found;
    const { by } = auditEntry('', '', '');
    const job = await jobs.start(
      { accountId: account.id, connection, name, attack, by, signups },
      now,
      auditEntry,
    );
    return { ...(await showJob(store, job)), account_id: account.id };
  });
}

/** Counts alone: who it is stays in the dashboard. */
function toPreview({ rows, partial, good, name, until }: SignupsToTakeBack, known: number) {
  const fraud = rows.filter(({ feedback }) => reportedAs(feedback) === 'fraud').length;
  const total = rows.length;
  return { name, total, partial, known, good: good.length, fraud, until: toInstant(until) };
}

function showConnection({ id, accountId, kind, name, url, perSecond, createdAt }: ProviderConnection) {
  return {
    id,
    account_id: accountId,
    kind,
    name,
    url,
    per_second: perSecond,
    created_at: toTimestamp(createdAt),
  };
}
