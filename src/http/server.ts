/** Assembles the HTTP service: its routes, and what each of its parts needs. */
import type { Logger } from 'pino';
import type { Directory } from '../accounts/directory.ts';
import type { DistrustedSource } from '../contract/distrusted-source.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { socketPathOf } from '../model/listen-address.ts';
import type { SharedAddress } from '../model/shared-address.ts';
import type { Tracing } from '../platform/tracing.ts';
import { createAppeals } from '../signup/appeals.ts';
import type { AssessSignup } from '../signup/assess-signup.ts';
import type { ConfirmChallenge } from '../signup/challenges/confirm-challenge.ts';
import type { RedeemChallenge } from '../signup/challenges/redeem-challenge.ts';
import type { RedeemProof } from '../signup/challenges/redeem-proof.ts';
import type { Idempotency } from '../signup/idempotency.ts';
import { createOutcomes } from '../signup/outcomes.ts';
import type { RateLimiter } from '../signup/rate-limit.ts';
import type { AlertStore } from '../store/alert-store.ts';
import type { AppealStore } from '../store/appeal-store.ts';
import type { AttackActionStore } from '../store/attack-action-store.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { DashboardStore } from '../store/dashboard-store.ts';
import type { DestinationStore, EventStore } from '../store/event-store.ts';
import type { FeedFlipStore } from '../store/feed-flip-store.ts';
import type { HistoryStore } from '../store/history-store.ts';
import type { HookStore } from '../store/hook-store.ts';
import type { IdempotencyStore } from '../store/idempotency-store.ts';
import type { MailboxStore } from '../store/mailbox-store.ts';
import type { MistakeStore } from '../store/mistake-store.ts';
import type { OutcomeStore } from '../store/outcome-store.ts';
import type { RecallStore } from '../store/recall-store.ts';
import type { SavedFilterStore } from '../store/saved-filter-store.ts';
import type { AccountStore, AssessmentStore, ListStore } from '../store/store.ts';
import type { ProviderConnectionStore, TakeBackStore } from '../store/take-back-store.ts';
import type { TokenStore } from '../store/token-store.ts';
import { createAccessLog, type LogAnswer } from './access-log.ts';
import { apiRoutes, challengeRoute } from './api.ts';
import { appealPageRoutes, appealRoute } from './appeals.ts';
import { createAttackSignups, withAttacks } from './attack-signups.ts';
import { challengePageRoutes, createVisitorOrigin } from './challenge-page.ts';
import { createListener, type Listener } from './core/listener.ts';
import { createLoadShedder, type LoadShedder } from './core/load-shedder.ts';
import { createToErrorResponse } from './core/problems.ts';
import {
  createRequestHandler,
  type Handle,
  type OnAnswer,
  type Route,
  type Routes,
} from './core/request-handler.ts';
import { createRouter, type Router } from './core/router.ts';
import { type ClientOrigin, createClientOrigin, type TrustedProxies } from './core/trusted-proxies.ts';
import { createWebRoutes, manageableRoutes, refuseMissing } from './core/web-routes.ts';
import { type DashboardParts, type DashboardRoutesOptions, dashboardRoutes } from './dashboard.ts';
import { createCsrfOrigins } from './dashboard-csrf.ts';
import { createPages } from './dashboard-static-pages.ts';
import { docsRoutes } from './docs.ts';
import { healthRoutes } from './health.ts';
import { type HookRoutesOptions, hookRoutes } from './hooks.ts';
import { type ManageOptions, manageRoutes } from './manage.ts';
import type { Metrics } from './metrics.ts';
import { createOperations } from './operation.ts';
import { outcomeRoute } from './outcomes.ts';
import { createTraceAnswer } from './trace-answer.ts';

export interface ServerOptions {
  readonly assessSignup: AssessSignup;
  readonly rateLimiter: RateLimiter;
  readonly idempotency: Idempotency;
  readonly store: AssessmentStore &
    AccountStore &
    HookStore &
    ListStore &
    CampaignStore &
    AlertStore &
    AttackActionStore &
    RecallStore &
    Pick<FeedFlipStore, 'feedFlips'> &
    Pick<MailboxStore, 'saveMailboxReport'> &
    MistakeStore &
    AppealStore &
    OutcomeStore &
    DashboardStore &
    IdempotencyStore &
    TokenStore &
    DestinationStore &
    EventStore &
    ProviderConnectionStore &
    TakeBackStore &
    SavedFilterStore &
    HistoryStore;
  /** Keyed hash of a text. */
  readonly fingerprint: (text: string) => string;
  readonly challenges: {
    readonly redeem: RedeemChallenge;
    readonly confirm: ConfirmChallenge;
    readonly proof: RedeemProof;
  };
  readonly directory: Directory;
  readonly metrics: Metrics;
  /** Whether another listener shows the metrics. */
  readonly metricsElsewhere: boolean;
  readonly log: Logger;
  readonly makeId: MakeId;
  readonly clock: () => number;
  /** False until the service can answer. */
  readonly ready: () => boolean;
  /** Waits a moment for the service to be able to answer; resolves to whether it is. */
  readonly becomeReady: () => Promise<boolean>;
  /** True once the service is stopping: requests are still answered, each as the last of its connection. */
  readonly stopping: () => boolean;
  /** False while commits fail: only requests that must store something are refused then. */
  readonly canCommit: () => boolean;
  /** Whether so many commits wait that another would come too late. */
  readonly commitsAreBehind: () => boolean;
  /** Sources that give wrong answers about well-known names; their answers do not count. */
  readonly distrusted: () => readonly DistrustedSource[];
  /** Keys and hooks whose signups nearly all have one address. */
  readonly sharedAddresses: () => readonly SharedAddress[];
  /** Whether each answer is logged. */
  readonly accessLog: boolean;
  /** Time that appeals are kept; `null`: there are none. */
  readonly appealDays: number | null;
  /** Address that it listens on, and proxies whose X-Forwarded-* headers are believed. */
  readonly listening: { readonly host: string; readonly trustProxy: TrustedProxies };
  /** Connections that may be open at once. */
  readonly maxConnections: number;
  /** See `LoadShedder`. */
  readonly shedAfterMs: number | null;
  /** Whether the strict reader has each connection first. */
  readonly strictReader: boolean;
  readonly tracing: Pick<Tracing, 'request'>;
  /** The dashboard's URL for people; `null`: taken from each request. */
  readonly publicUrl: string | null;
  readonly dashboard: DashboardParts;
  readonly destinations: ManageOptions['destinations'];
  readonly takeBack: DashboardRoutesOptions['takeBack'];
  readonly hooks: Pick<HookRoutesOptions, 'box' | 'fetchText' | 'fetchExactly' | 'texts' | 'judgeFromMemory'>;
}

export function createServer(options: ServerOptions): Listener {
  const { metrics, log, makeId, clock, stopping, maxConnections, strictReader } = options;
  const router = createRouter<Route>();
  const shedder = createShedder(options);
  const handleRequest = createRequestHandler({
    router,
    handleMissing: registerRoutes(router, options, shedder.sheds),
    toErrorResponse: createToErrorResponse(log),
    onAnswer: createOnAnswer(metrics, createAccessLog(router, log, options.accessLog)),
    traceAnswer: createTraceAnswer(options.tracing),
    origin: originOf(options),
    makeId,
    clock,
    stopping,
  });
  const { before, refusal } = shedder;
  return createListener({ handleRequest: before(handleRequest), refusal, maxConnections, strictReader });
}

/** The clients of a Unix socket are on this machine, as 127.0.0.1 is. */
function originOf({ listening, log }: ServerOptions): ClientOrigin {
  const onNoVisitor = (headers: readonly string[]) =>
    log.warn({ headers }, 'a trusted proxy names no visitor; see docs/troubleshooting.md#log-lines');
  const isSocket = socketPathOf(listening.host) !== undefined;
  return createClientOrigin(listening.trustProxy, onNoVisitor, isSocket ? '127.0.0.1' : undefined);
}

/** Registers every route of the service. Returns what answers requests without one. */
export function registerRoutes(
  router: Router<Route>,
  options: ServerOptions,
  sheds: LoadShedder['sheds'],
): Handle {
  const { store, directory, metrics, log, makeId, clock, assessSignup, rateLimiter, idempotency } = options;
  const { ready, becomeReady, stopping, distrusted, canCommit } = options;
  const toErrorResponse = createToErrorResponse(log);
  const origins = createCsrfOrigins(options.publicUrl);
  const operations = createOperations({ router, directory, makeId, clock, ready, becomeReady });
  apiRoutes({ operations, assessSignup, store, rateLimiter, idempotency });
  const { networkOf, secretBox: box } = options.dashboard;
  const appeals = createAppeals({ store, box, keptDays: options.appealDays });
  appealRoute({ operations, appeals, originOf: createVisitorOrigin(options.publicUrl, undefined) });
  const outcomes = createOutcomes({ store, hashesOf: options.dashboard.services.hashesOf });
  outcomeRoute({ operations, outcomes, idempotency });
  challengeRoute({
    operations,
    redeemChallenge: options.challenges.redeem,
    fingerprint: options.fingerprint,
    originOf: createVisitorOrigin(options.publicUrl, 'confirm'),
  });
  hookRoutes({
    ...options.hooks,
    router,
    outcomes,
    idempotency,
    directory,
    assessSignup,
    fingerprint: options.fingerprint,
    makeId,
    clock,
    log,
    onAnswer: metrics.hookAnswer,
    sheds,
  });

  const web = createWebRoutes(router, origins.isSecure);
  const pages = createPages();
  healthRoutes(web, {
    ready: () => ready() && !stopping(),
    canCommit,
    distrusted,
    sharedAddresses: options.sharedAddresses,
    metrics: options.metricsElsewhere ? undefined : metrics,
  });
  docsRoutes(web);
  challengePageRoutes(web, options.challenges);
  appealPageRoutes(web, { appeals, networkOf });
  pages.register(web);
  const takesChanges = async () => (ready() || (await becomeReady())) && !stopping();
  const manageable = manageableRoutes(web, takesChanges);
  registerManage(manageable, options);
  dashboardRoutes(manageable, {
    parts: options.dashboard,
    origins,
    store,
    directory,
    destinations: options.destinations,
    takeBack: options.takeBack,
    assessSignup,
    toErrorResponse,
    makeId,
    clock,
    distrusted,
    onFault: (error) => log.error({ err: error }, 'a task of the dashboard failed'),
  });
  return web.guard(async (context) => refuseMissing(context, router, pages.serve));
}

function registerManage(routes: Routes, options: ServerOptions): void {
  const { store, directory, dashboard, destinations, makeId, clock } = options;
  const { secretBox, networkOf, services } = dashboard;
  const { readListValue, isCrowdedDomain, readers } = services;
  const attacks = createAttackSignups({ store, readers, clock });
  manageRoutes(routes, {
    store: withAttacks(store, attacks),
    directory,
    secretBox,
    readListValue,
    isCrowdedDomain,
    networkOf,
    destinations,
    takeBack: { attacks, readers, jobs: options.takeBack.jobs },
    makeId,
    clock,
  });
}

const SHED_REPORT_MS = 10_000;

/** Counts refusals, and logs them from time to time: a line for each would cost more than the refusal. */
function createShedder(options: ServerOptions): LoadShedder {
  const { commitsAreBehind, shedAfterMs, metrics, log, makeId, clock } = options;
  let refused = 0;
  function report(): void {
    log.warn(
      { refused },
      'more requests came than could be answered in time; see docs/reliability.md#overload',
    );
    refused = 0;
  }
  return createLoadShedder({
    isBehind: commitsAreBehind,
    maxTurnMs: shedAfterMs,
    makeId: () => makeId('req', clock()),
    onShed(cause) {
      metrics.shed(cause);
      refused += 1;
      if (refused === 1) setTimeout(report, SHED_REPORT_MS).unref();
    },
  });
}

function createOnAnswer(metrics: Pick<Metrics, 'request'>, logAnswer: LogAnswer | undefined): OnAnswer {
  return (context, status) => {
    const milliseconds = performance.now() - context.started;
    metrics.request(context.operation, status, context.verdict, milliseconds / 1000);
    logAnswer?.(context, status, milliseconds);
  };
}
