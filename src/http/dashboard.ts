/** Assembles the dashboard's side of the server: sign-in, and the modules of its API. */
import { auditLogsOf } from '../accounts/audit-log.ts';
import type { Directory } from '../accounts/directory.ts';
import type { KnownDevices } from '../accounts/known-device.ts';
import type { SecretBox } from '../accounts/secret-box.ts';
import type { SessionClock } from '../accounts/session-clock.ts';
import type { SignIn } from '../accounts/sign-in.ts';
import type { DistrustedSource } from '../contract/distrusted-source.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { AssessSignup } from '../signup/assess-signup.ts';
import type { AlertStore } from '../store/alert-store.ts';
import type { AppealStore } from '../store/appeal-store.ts';
import type { AttackActionStore } from '../store/attack-action-store.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { DashboardStore, StoredUser } from '../store/dashboard-store.ts';
import type { FeedFlipStore } from '../store/feed-flip-store.ts';
import type { HistoryStore } from '../store/history-store.ts';
import type { HookStore } from '../store/hook-store.ts';
import type { MailboxStore } from '../store/mailbox-store.ts';
import type { MistakeStore } from '../store/mistake-store.ts';
import type { OutcomeStore } from '../store/outcome-store.ts';
import type { RecallStore } from '../store/recall-store.ts';
import type { SavedFilterStore } from '../store/saved-filter-store.ts';
import type { AccountStore, AssessmentStore, ListStore } from '../store/store.ts';
import type { ProviderConnectionStore, TakeBackStore } from '../store/take-back-store.ts';
import type { TokenStore } from '../store/token-store.ts';
import type { TakeBack } from '../takeback/take-back.ts';
import { createAttackSignups, withAttacks } from './attack-signups.ts';
import type { ToErrorResponse } from './core/problems.ts';
import type { Routes } from './core/request-handler.ts';
import { accountDeletionRoutes } from './dashboard-account-deletion.ts';
import { accountRoutes } from './dashboard-accounts.ts';
import { createCountAddress } from './dashboard-address-limit.ts';
import { alertRoutes } from './dashboard-alerts.ts';
import { assessmentRoutes } from './dashboard-assessment.ts';
import { assessmentsRoutes } from './dashboard-assessments.ts';
import { attackRoutes } from './dashboard-attacks.ts';
import { auditRoutes } from './dashboard-audit.ts';
import { auditUndoRoute } from './dashboard-audit-undo.ts';
import { batchRoutes } from './dashboard-batches.ts';
import { campaignRoutes } from './dashboard-campaigns.ts';
import { closeMistakesRoute } from './dashboard-close-mistakes.ts';
import { connectionRoutes } from './dashboard-connections.ts';
import type { CsrfOrigins, VisitorOf } from './dashboard-csrf.ts';
import { customerRoutes } from './dashboard-customer.ts';
import { type DestinationRoutesOptions, destinationRoutes } from './dashboard-destinations.ts';
import { feedbackPageRoute } from './dashboard-feedback.ts';
import { type EmailHashes, findRoute } from './dashboard-find.ts';
import type { FindReaders } from './dashboard-find-text.ts';
import { firstStepsRoute } from './dashboard-first-steps.ts';
import { createGiveFeedback } from './dashboard-give-feedback.ts';
import {
  auditEntryOf,
  createEnterAccount,
  createFindCurrentUser,
  createGuardedRoutes,
  createIsMember,
} from './dashboard-guarded-routes.ts';
import type { SearchReaders } from './dashboard-history-filter.ts';
import { hooksRoutes } from './dashboard-hooks.ts';
import { intelligenceRoutes } from './dashboard-intelligence.ts';
import type { IntelligenceService } from './dashboard-intelligence-service.ts';
import { invitationRoutes } from './dashboard-invitation.ts';
import { keysRoutes } from './dashboard-keys.ts';
import { labelRoutes } from './dashboard-labels.ts';
import { listBatchRoute } from './dashboard-list-batch.ts';
import { listHistoryRoutes } from './dashboard-list-history.ts';
import { listPreviewRoute, type TryListEntry } from './dashboard-list-preview.ts';
import { listsRoutes } from './dashboard-lists.ts';
import { type MailHostAdmin, mailHostRoutes } from './dashboard-mail-hosts.ts';
import { oidcRoutes, type SignInMethods } from './dashboard-oidc.ts';
import { peopleRoutes } from './dashboard-people.ts';
import { policyRoutes } from './dashboard-policy.ts';
import { type PrivacyService, privacyRoutes } from './dashboard-privacy.ts';
import { type RecallRoutesOptions, recallRoutes } from './dashboard-recall.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { savedFiltersRoutes } from './dashboard-saved-filters.ts';
import { createStartSession, sessionRoute } from './dashboard-session.ts';
import { sessionsRoutes } from './dashboard-sessions.ts';
import { claimRoutes } from './dashboard-set-up.ts';
import { settingsRoute } from './dashboard-settings.ts';
import { shadowRoute } from './dashboard-shadow.ts';
import { signInRoutes } from './dashboard-sign-in.ts';
import { createAttempts } from './dashboard-sign-in-attempts.ts';
import { signupCountsRoutes } from './dashboard-signup-counts.ts';
import { simulateRoute } from './dashboard-simulate.ts';
import { supportRoute } from './dashboard-support.ts';
import { takeBackRoutes } from './dashboard-take-back.ts';
import { todayRoute } from './dashboard-today.ts';
import { todayChangesRoute } from './dashboard-today-changes.ts';
import { todayNeedsRoute } from './dashboard-today-needs.ts';
import { tokenRoutes } from './dashboard-tokens.ts';
import { tryRoute } from './dashboard-try.ts';
import { createUndoTokens, undoRoute } from './dashboard-undo.ts';
import { usageRoutes } from './dashboard-usage.ts';
import type { IsCrowdedDomain, ReadListValue } from './list-values.ts';

/** Services from folders that HTTP may not import; app*.ts passes them in. */
export interface AccountServices {
  readonly intelligence: IntelligenceService;
  readonly hosts: MailHostAdmin;
  readonly readers: SearchReaders & Pick<FindReaders, 'email'>;
  readonly hashesOf: (address: string) => EmailHashes;
  readonly readListValue: ReadListValue;
  readonly isCrowdedDomain: IsCrowdedDomain;
  readonly tryListEntry: TryListEntry;
  readonly privacy: PrivacyService;
  readonly recall: RecallRoutesOptions['recall'];
}

/** Parts that app*.ts makes. */
export interface DashboardParts {
  readonly signIn: SignIn;
  readonly devices: KnownDevices;
  readonly networkOf: (ip: string) => string;
  /** Encrypts the secrets of hooks. */
  readonly secretBox: SecretBox;
  /** Clock for what expires: sessions, links, invitations. */
  readonly sessionClock: SessionClock;
  readonly services: AccountServices;
  readonly signInMethods: SignInMethods;
}

export interface DashboardRoutesOptions {
  readonly parts: DashboardParts;
  readonly origins: CsrfOrigins;
  readonly store: DashboardStore &
    AccountStore &
    HookStore &
    AssessmentStore &
    ListStore &
    CampaignStore &
    AlertStore &
    AttackActionStore &
    RecallStore &
    Pick<FeedFlipStore, 'feedFlips'> &
    Pick<MailboxStore, 'saveMailboxReport'> &
    MistakeStore &
    AppealStore &
    Pick<OutcomeStore, 'outcomesOf' | 'signupsWithOutcomes'> &
    HistoryStore &
    TokenStore &
    SavedFilterStore &
    ProviderConnectionStore &
    TakeBackStore &
    DestinationRoutesOptions['store'];
  readonly directory: Directory;
  readonly destinations: DestinationRoutesOptions['destinations'];
  readonly takeBack: Pick<TakeBack, 'connections' | 'jobs'>;
  readonly assessSignup: AssessSignup;
  readonly toErrorResponse: ToErrorResponse;
  readonly makeId: MakeId;
  readonly clock: () => number;
  readonly distrusted: () => readonly DistrustedSource[];
  readonly onFault: (error: unknown) => void;
}

export function dashboardRoutes(routes: Routes, options: DashboardRoutesOptions): void {
  const { parts, origins, store, directory, makeId, clock, distrusted, onFault } = options;
  const { signIn, devices, networkOf, sessionClock, signInMethods, secretBox: box } = parts;
  const visitorOf: VisitorOf = (context) => ({
    cookie: origins.cookiesOf(context),
    network: networkOf(context.ip),
    userAgent: context.headers['user-agent'] ?? '',
  });
  const findCurrentUser = createFindCurrentUser(store, signIn, visitorOf);
  const enterAccount = createEnterAccount(store, directory);
  const claimed = { recognise: recogniseClaimed(devices, store) };
  const attempts = createAttempts({ devices: claimed, visitorOf, clock });
  const startSession = createStartSession({
    store,
    directory,
    distrusted,
    signIn,
    devices,
    origins,
    visitorOf,
  });
  const note = (user: StoredUser, action: string) => void noteOf(store, user, action, clock()).catch(onFault);
  signInRoutes(routes, {
    store,
    signIn,
    attempts,
    devices,
    origins,
    findCurrentUser,
    visitorOf,
    note,
    signInMethods,
  });

  const guarded = createGuardedRoutes(routes, {
    store,
    enterAccount,
    isMember: createIsMember(store, directory),
    findCurrentUser,
    origins,
    clock,
  });
  const forLinks = { attempts, startSession, sessionClock, makeId, signInMethods };
  const forOidc = { signInMethods, box, origins, visitorOf, findCurrentUser, sessionClock, note, onFault };
  oidcRoutes(routes, guarded, { store, directory, makeId, signIn, attempts, ...forOidc });
  sessionRoute(guarded, { store, directory, distrusted });
  claimRoutes(guarded, { store, ...forLinks });
  invitationRoutes(guarded, { store, directory, distrusted, findCurrentUser, ...forLinks });
  accountRoutes(guarded, { store, directory, makeId });
  accountDeletionRoutes(guarded, { store, directory });
  tokenRoutes(guarded, { store, directory, makeId });
  peopleRoutes(guarded, { store, directory, enterAccount, origins, makeId, sessionClock });
  sessionsRoutes(guarded, { store, enterAccount, sessionClock });
  perAccountRoutes(guarded, options);
}

/** Recognises the device of any user who claims the address: before sign-in the user is not known yet. */
function recogniseClaimed(
  devices: Pick<KnownDevices, 'recognise'>,
  store: Pick<DashboardStore, 'usersOf'>,
): KnownDevices['recognise'] {
  return async (cookies, address) => {
    for (const { login } of cookies === undefined ? [] : await store.usersOf(address)) {
      const device = await devices.recognise(cookies, login);
      if (device !== undefined) return device;
    }
    return undefined;
  };
}

async function noteOf(store: DashboardStore, user: StoredUser, action: string, at: number): Promise<void> {
  for (const accountId of await auditLogsOf(store, user))
    await store.audit(auditEntryOf(user, { at, accountId, action, target: user.email, detail: '' }));
}

/** Registers the routes about one account and about intelligence. */
export function perAccountRoutes(routes: DashboardRoutes, options: DashboardRoutesOptions): void {
  const { directory, assessSignup, toErrorResponse, makeId, clock, onFault } = options;
  const { intelligence, hosts, readers, hashesOf, tryListEntry, privacy, recall } = options.parts.services;
  const { readListValue, isCrowdedDomain } = options.parts.services;
  const attacks = createAttackSignups({ store: options.store, readers, clock });
  const store = withAttacks(options.store, attacks);
  todayRoute(routes, { store, intelligence, directory });
  todayNeedsRoute(routes, { store, directory });
  todayChangesRoute(routes, { store, readers, intelligence });
  firstStepsRoute(routes, { store, directory });
  assessmentsRoutes(routes, { store, readers, intelligence });
  savedFiltersRoutes(routes, { store, readers, makeId });
  signupCountsRoutes(routes, { store, readers, intelligence });
  const box = options.parts.secretBox;
  const giveFeedback = createGiveFeedback(store);
  const undo = createUndoTokens(box);
  assessmentRoutes(routes, { store, intelligence, giveFeedback, undo, box });
  const countAddress = createCountAddress();
  const addresses = { hashesOf, countAddress, readListValue };
  customerRoutes(routes, { store, makeId, readers, giveFeedback, undo, ...addresses });
  batchRoutes(routes, { store, undo });
  undoRoute(routes, { store, box, makeId });
  supportRoute(routes, { store, readers, hashesOf, countAddress });
  findRoute(routes, { store, directory, readers, hashesOf, intelligence, countAddress });
  policyRoutes(routes, { store, directory, makeId });
  simulateRoute(routes, { store, directory, clock });
  keysRoutes(routes, { store, directory, makeId });
  hooksRoutes(routes, { store, box, makeId, directory });
  destinationRoutes(routes, { store, destinations: options.destinations });
  connectionRoutes(routes, { store, connections: options.takeBack.connections });
  takeBackRoutes(routes, { store, attacks, readers, directory, jobs: options.takeBack.jobs });
  shadowRoute(routes, { store, directory });
  listHistoryRoutes(routes, { store });
  listsRoutes(routes, { store, makeId, readListValue, isCrowdedDomain });
  listBatchRoute(routes, { store, makeId, readListValue, isCrowdedDomain, undo });
  listPreviewRoute(routes, { store, tryListEntry });
  feedbackPageRoute(routes, { store, directory, readers, box });
  closeMistakesRoute(routes, { store, undo });
  labelRoutes(routes, { store, readers, hashesOf, undo });
  alertRoutes(routes, { store, directory });
  campaignRoutes(routes, { store, makeId });
  const listing = { readListValue, isCrowdedDomain, makeId, box };
  attackRoutes(routes, { store, attacks, intelligence, jobs: options.takeBack.jobs, ...listing });
  recallRoutes(routes, { store, recall });
  privacyRoutes(routes, { store, privacy });
  usageRoutes(routes, { store });
  auditRoutes(routes, { store });
  auditUndoRoute(routes, { store, directory, makeId, jobs: options.takeBack.jobs });
  settingsRoute(routes, { store, directory });
  tryRoute(routes, { assessSignup, directory, toErrorResponse, makeId });
  intelligenceRoutes(routes, { store, intelligence, onFault });
  mailHostRoutes(routes, { hosts, store });
}
