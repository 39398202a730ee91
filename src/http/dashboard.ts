/** Puts the dashboard's side of the server together: sign-in, and the modules of its API. */
import type { FastifyInstance } from 'fastify';
import { accountsToNote } from '../accounts/accounts-to-note.ts';
import type { Directory } from '../accounts/directory.ts';
import type { KnownDevices } from '../accounts/known-device.ts';
import { nameActor } from '../accounts/name-user.ts';
import type { SessionClock } from '../accounts/session-clock.ts';
import type { SignIn } from '../accounts/sign-in.ts';
import type { DistrustedSource } from '../contract/distrusted-source.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { DashboardStore, StoredUser } from '../store/dashboard-store.ts';
import type { LogStore } from '../store/history-store.ts';
import type { AccountStore, AssessmentStore, ListStore } from '../store/store.ts';
import type { AnswerAttempt } from './answer-signup.ts';
import { createAccess } from './dashboard-access.ts';
import { accountRoutes } from './dashboard-accounts.ts';
import type { CsrfOrigins, VisitorOf } from './dashboard-csrf.ts';
import { createGuardedRoutes } from './dashboard-guarded-routes.ts';
import { invitationRoutes } from './dashboard-invitation.ts';
import { peopleRoutes } from './dashboard-people.ts';
import { type AccountServices, perAccountRoutes } from './dashboard-per-account-routes.ts';
import { sessionRoute } from './dashboard-session.ts';
import { sessionsRoutes } from './dashboard-sessions.ts';
import { claimRoutes } from './dashboard-set-up.ts';
import { signInRoutes } from './dashboard-sign-in.ts';
import { createAttempts } from './dashboard-sign-in-attempts.ts';
import { createWelcome } from './dashboard-start-session.ts';
import type { ToErrorResponse } from './problems.ts';
import type { RateLimiter } from './rate-limit.ts';

/** What wire.ts hands over; modules of the API name their own parts of it. */
export interface DashboardOptions {
  readonly signIn: SignIn;
  readonly devices: KnownDevices;
  /** Where people reach the dashboard; `null`: wherever they do. */
  readonly publicUrl: string | null;
  readonly networkOf: (ip: string) => string;
  /** For what lasts a certain time: sessions, links, invitations. */
  readonly sessionClock: SessionClock;
  readonly desk: AccountServices;
}

interface Given extends Omit<DashboardOptions, 'publicUrl'> {
  readonly origins: CsrfOrigins;
  readonly store: DashboardStore & AccountStore & AssessmentStore & ListStore & LogStore;
  readonly directory: Directory;
  readonly meter: RateLimiter;
  readonly answerAttempt: AnswerAttempt;
  readonly refuse: ToErrorResponse;
  readonly makeId: MakeId;
  readonly clock: () => number;
  readonly ready: () => Promise<boolean>;
  readonly distrusted: () => readonly DistrustedSource[];
  readonly onFault: (error: unknown) => void;
}

export function dashboardRoutes(app: FastifyInstance, given: Given): void {
  const { store, clock, onFault } = given;
  const { origins } = given;
  /** Of whoever claims the address: nobody knows yet who is here. */
  const recognise: KnownDevices['recognise'] = async (cookies, address) => {
    for (const { login } of cookies === undefined ? [] : await store.usersOf(address)) {
      const device = await given.devices.recognise(cookies, login);
      if (device !== undefined) return device;
    }
    return undefined;
  };
  const attempts = createAttempts({ ...given, devices: { recognise }, cookiesOf: origins.cookiesOf });
  const access = createAccess(given);
  const visitorOf: VisitorOf = (request) => ({
    cookie: origins.cookiesOf(request),
    network: given.networkOf(request.ip),
    userAgent: request.headers['user-agent'] ?? '',
  });
  const welcome = createWelcome({ ...given, visitorOf });
  const parts = { ...given, attempts, access, visitorOf, welcome };
  const note = (user: StoredUser, action: string) => void noteOf(store, user, action, clock()).catch(onFault);
  signInRoutes(app, { ...parts, note });
  const routes = createGuardedRoutes(app, parts);
  sessionRoute(routes, parts);
  claimRoutes(routes, parts);
  invitationRoutes(routes, parts);
  accountRoutes(routes, parts);
  peopleRoutes(routes, parts);
  sessionsRoutes(routes, parts);
  perAccountRoutes(routes, { ...given, ...given.desk });
}

async function noteOf(store: DashboardStore, user: StoredUser, action: string, at: number): Promise<void> {
  for (const accountId of await accountsToNote(store, user))
    await store.audit({
      at,
      by: nameActor(user, accountId),
      accountId,
      action,
      target: user.email,
      detail: '',
    });
}
