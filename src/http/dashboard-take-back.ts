/** …/takeback: jobs that hold the accounts of people who got in, what they did, and their undo. */
import { nameUser } from '../accounts/audit-log.ts';
import type { Directory } from '../accounts/directory.ts';
import { toCsvRow } from '../contract/csv-row.ts';
import {
  MAX_CHOSEN_IDS,
  type TakeBackChoice,
  type TakeBackDetails,
  type TakeBackIdsBody,
  type TakeBackNamed,
  type TakeBackPage,
  type TakeBackPreview,
  type TakeBackRow,
} from '../contract/dashboard-take-back.ts';
import { Problem } from '../contract/problem.ts';
import type { TakeBackAccount, TakeBackJob } from '../model/take-back.ts';
import { reportedAs } from '../signup/label-effect.ts';
import type { HistoryStore } from '../store/history-store.ts';
import type { ProviderConnectionStore, TakeBackStore } from '../store/take-back-store.ts';
import type { JobAdmin } from '../takeback/job-admin.ts';
import { findConnection } from './dashboard-connections.ts';
import { requireIndexed, toInstant } from './dashboard-history.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, FLAG, SHORT_TEXT, TEXT, unusable } from './dashboard-values.ts';
import { createWorkPlaces } from './dashboard-work-places.ts';
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

export interface TakeBackRoutesOptions extends TakeBackSignupsOptions {
  readonly store: TakeBackSignupsOptions['store'] &
    Pick<HistoryStore, 'indexing'> &
    Pick<ProviderConnectionStore, 'connections'> &
    Pick<TakeBackStore, 'takeBackJob' | 'takeBackJobs' | 'takeBackCounts' | 'takeBackAccounts'>;
  readonly jobs: JobAdmin;
  readonly directory: Pick<Directory, 'hooksOf'>;
}

type Store = TakeBackRoutesOptions['store'];
type Named = Pick<AccountCall<unknown>, 'account' | 'params'>;

const OK = 200;
const PATH = '/accounts/:account/takeback';
const ONE = `${PATH}/:job`;
const MAX_JOBS = 50;
const MAX_GOOD_SHOWN = 10;
const MAX_PROBLEMS = 50;
const ACCOUNTS_A_READ = 500;
const FILTER = { type: 'object', additionalProperties: { type: 'string' } };
const IDS = { type: 'array', items: SHORT_TEXT };
const CONNECTION = { anyOf: [SHORT_TEXT, { type: 'null' }] };
const CHOICE = bodyOf(
  { connection_id: CONNECTION, filter: FILTER, request_ids: IDS, include_good: FLAG, until: TEXT },
  ['connection_id'],
);
const NAMED = {
  type: 'object',
  required: ['request_id', 'user_id'],
  properties: { request_id: SHORT_TEXT, user_id: SHORT_TEXT },
};

export function takeBackRoutes(routes: DashboardRoutes, options: TakeBackRoutesOptions): void {
  startRoutes(routes, options);
  readRoutes(routes, options);
  directRoutes(routes, options);
}

function startRoutes(routes: DashboardRoutes, options: TakeBackRoutesOptions): void {
  const { store, jobs } = options;
  const findSignups = createFindSignups(options);
  const places = createWorkPlaces(TAKE_BACK_PLACES);

  async function find({ account, body, now }: AccountCall<TakeBackChoice>) {
    const { connection_id: id } = body;
    const connection = id === null ? null : await findConnection(store, account.id, id);
    await requireIndexed(store);
    const leave = places.enter(account.id);
    try {
      return { connection, found: await findSignups(account, body, now) };
    } finally {
      leave();
    }
  }

  routes.forAccount<TakeBackChoice>({
    method: 'POST',
    path: `${PATH}/preview`,
    minRole: 'analyst',
    body: CHOICE,
    async handle(call): Promise<TakeBackPreview> {
      const { connection, found } = await find(call);
      const known = toSignups(found.rows, connection, options.directory, call.account.id).filter(
        ({ userId }) => userId !== null,
      );
      return toPreview(found, known.length);
    },
  });

  routes.forAccount<TakeBackChoice>({
    method: 'POST',
    path: PATH,
    minRole: 'analyst',
    body: CHOICE,
    async handle(call): Promise<TakeBackRow> {
      const { account, user, now, auditEntry } = call;
      const { connection, found } = await find(call);
      const signups = toSignups(found.rows, connection, options.directory, account.id);
      if (signups.length === 0) throw nobodyWasLetIn();
      const { name, attack } = found;
      const by = nameUser(user);
      const job = await jobs.start(
        { accountId: account.id, connection, name, attack, by, signups },
        now,
        auditEntry,
      );
      return showJob(store, job);
    },
  });
}

function toPreview({ rows, partial, good, name, until }: SignupsToTakeBack, known: number): TakeBackPreview {
  return {
    total: rows.length,
    partial,
    known,
    good: good.length,
    fraud: rows.filter(({ feedback }) => reportedAs(feedback) === 'fraud').length,
    good_signups: good
      .slice(0, MAX_GOOD_SHOWN)
      .map(({ requestId, email }) => ({ request_id: requestId, email })),
    name,
    until: toInstant(until),
  };
}

function readRoutes(routes: DashboardRoutes, { store }: TakeBackRoutesOptions): void {
  routes.forAccount({
    method: 'GET',
    path: PATH,
    minRole: 'analyst',
    async handle({ account }): Promise<TakeBackPage> {
      const connections = await store.connections(account.id);
      const jobs = await store.takeBackJobs(account.id, MAX_JOBS);
      return { jobs: await Promise.all(jobs.map((job) => showJobAmong(store, job, connections))) };
    },
  });

  routes.forAccount({
    method: 'GET',
    path: ONE,
    minRole: 'analyst',
    async handle(call): Promise<TakeBackDetails> {
      const job = await findJob(store, call);
      const problems: TakeBackDetails['problems'][number][] = [];
      for await (const accounts of accountsOf(store, job)) {
        for (const { requestId, userId, state, problem } of accounts.filter(isProblem))
          problems.push({ request_id: requestId, user_id: userId, state, problem });
        if (problems.length >= MAX_PROBLEMS) break;
      }
      return { job: await showJob(store, job), problems: problems.slice(0, MAX_PROBLEMS) };
    },
  });

  routes.forAccount({
    method: 'GET',
    path: `${ONE}/accounts.csv`,
    minRole: 'analyst',
    async handle(call) {
      const { context, audit } = call;
      const job = await findJob(store, call);
      // Personal data is exported: the audit log names who did it before the first byte is sent.
      await audit('takeback.export', job.id, job.name);
      context.header('Content-Disposition', `attachment; filename="take-back-${job.id}.csv"`);
      await context.stream(OK, 'text/csv; charset=utf-8', csvOf(store, job));
    },
  });
}

const CSV_COLUMNS = ['request_id', 'session_id', 'user_id', 'signed_up_at', 'state', 'problem'];

async function* csvOf(store: Store, job: TakeBackJob): AsyncIterable<string> {
  yield toCsvRow(CSV_COLUMNS);
  for await (const accounts of accountsOf(store, job))
    yield accounts
      .map(({ requestId, sessionId, userId, at, state, problem }) =>
        toCsvRow([requestId, sessionId, userId, toInstant(at), state, problem]),
      )
      .join('');
}

async function* accountsOf(
  store: Pick<TakeBackStore, 'takeBackAccounts'>,
  { accountId, id }: TakeBackJob,
): AsyncIterable<readonly TakeBackAccount[]> {
  let after = '';
  for (;;) {
    const accounts = await store.takeBackAccounts(accountId, id, after, ACCOUNTS_A_READ);
    yield accounts;
    if (accounts.length < ACCOUNTS_A_READ) return;
    after = accounts.at(-1)?.requestId ?? '';
  }
}

function isProblem({ state, problem }: TakeBackAccount): boolean {
  return problem !== null || state === 'failed' || state === 'changed' || state === 'missing';
}

function directRoutes(routes: DashboardRoutes, { store, jobs }: TakeBackRoutesOptions): void {
  for (const [name, action] of Object.entries(JOB_ACTIONS))
    routes.forAccount({
      method: 'POST',
      path: `${ONE}/${name}`,
      minRole: 'analyst',
      async handle(call): Promise<TakeBackRow> {
        const job = await findJob(store, call);
        if (await jobs[action](job, call.now, call.auditEntry))
          return showJob(store, await findJob(store, call));
        throw isInAnotherState('Load the page again, and look at its state.');
      },
    });

  routes.forAccount<TakeBackIdsBody>({
    method: 'POST',
    path: `${ONE}/ids`,
    minRole: 'analyst',
    body: bodyOf({ ids: { type: 'array', items: NAMED } }),
    async handle(call): Promise<TakeBackNamed> {
      const { ids } = call.body;
      const job = await findJob(store, call);
      if (ids.length === 0 || ids.length > MAX_CHOSEN_IDS)
        throw unusable('ids', `\`ids\` has ${ids.length} entries.`, `Send 1 to ${MAX_CHOSEN_IDS}.`);
      const named = ids.map(({ request_id: requestId, user_id: userId }) => ({
        requestId,
        userId: userId.trim(),
      }));
      const usable = named.filter(({ userId }) => userId !== '');
      return { named: await jobs.name(job, usable, call.auditEntry) };
    },
  });
}

/** @throws Problem `not_found` */
async function findJob(store: Pick<Store, 'takeBackJob'>, { account, params }: Named): Promise<TakeBackJob> {
  const job = await store.takeBackJob(account.id, params.job ?? '');
  if (job !== undefined) return job;
  throw new Problem('not_found', undefined, {
    message: 'This account has no such job.',
    resolution: 'Load the page again: jobs are removed after 30 days.',
  });
}
