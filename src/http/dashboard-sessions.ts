/** /dashboard/api/sessions and /operator/sessions: lists the user's own sessions, and ends them or those of others. */
import { auditLogsOf } from '../accounts/audit-log.ts';
import { hasEnded, type SessionClock, sessionEnd } from '../accounts/session-clock.ts';
import type { OpenSessions } from '../contract/dashboard-people.ts';
import { Problem } from '../contract/problem.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { PeopleStore, StoredUser } from '../store/dashboard-store.ts';
import type { SessionStore } from '../store/sign-in-store.ts';
import type { EnterAccount } from './dashboard-guarded-routes.ts';
import { MEMBERSHIP_BODY, type MembershipBody, memberOf, personOf } from './dashboard-people.ts';
import type { DashboardRoutes, UserCall } from './dashboard-route.ts';

export interface SessionsOptions {
  readonly store: PeopleStore & Pick<SessionStore, 'sessions' | 'endSessions'>;
  readonly enterAccount: EnterAccount;
  readonly sessionClock: Pick<SessionClock, 'now'>;
}

export function sessionsRoutes(routes: DashboardRoutes, options: SessionsOptions): void {
  ownSessionsRoutes(routes, options);
  memberSessionsRoute(routes, options);
  anySessionsRoute(routes, options);
}

/** The caller's own sessions. */
function ownSessionsRoutes(routes: DashboardRoutes, options: SessionsOptions): void {
  const { store } = options;
  routes.forUser({
    method: 'GET',
    path: '/sessions',
    async handle({ user, sessionId }): Promise<OpenSessions> {
      const sessions = await openSessions(options, user.id);
      return {
        sessions: sessions.map((session) => ({
          id: session.id,
          current: session.id === sessionId,
          device: describeDevice(session.userAgent),
          network: session.network,
          created_at: toTimestamp(session.createdAt),
          seen_at: toTimestamp(session.seenAt),
          ends_at: toTimestamp(sessionEnd(session)),
        })),
      };
    },
  });
  routes.forUser({
    method: 'DELETE',
    path: '/sessions/:id',
    async handle(call) {
      const { user, params } = call;
      const only = params.id as string;
      if (!(await openSessions(options, user.id)).some(({ id }) => id === only))
        throw new Problem('not_found');
      await store.endSessions({ userId: user.id, only }, ...(await entriesOf(store, call, 'session_ended')));
    },
  });
  routes.forUser({
    method: 'DELETE',
    path: '/sessions',
    async handle(call) {
      const of = { userId: call.user.id, except: call.sessionId };
      await store.endSessions(of, ...(await entriesOf(store, call, 'other_sessions_ended')));
    },
  });
}

/** An owner ends the sessions of a member. */
function memberSessionsRoute(routes: DashboardRoutes, options: SessionsOptions): void {
  const { store } = options;
  routes.forUser<MembershipBody>({
    method: 'DELETE',
    path: '/operator/sessions',
    body: MEMBERSHIP_BODY,
    async handle({ user, body, auditEntry }) {
      const { person, membership } = await memberOf(options, user, body);
      const { userId, accountId } = membership;
      await checkReach(store, user, person, accountId);
      await store.endSessions({ userId }, auditEntry(accountId, 'sessions_ended', person.email, ''));
    },
  });
}

/** An operator ends the sessions of any user. */
function anySessionsRoute(routes: DashboardRoutes, { store }: SessionsOptions): void {
  routes.forOperator({
    method: 'DELETE',
    path: '/operator/people/:user/sessions',
    async handle({ params, auditEntry }) {
      const user = await personOf(store, params.user as string);
      const entries = await entriesOf(store, { user, auditEntry }, 'sessions_ended');
      await store.endSessions({ userId: user.id }, ...entries);
    },
  });
}

/** Sessions that have not ended. */
async function openSessions({ store, sessionClock }: SessionsOptions, userId: string) {
  const now = sessionClock.now();
  return (await store.sessions(userId)).filter((session) => !hasEnded(session, now));
}

/** One audit entry for each account that the user belongs to. */
async function entriesOf(
  store: PeopleStore,
  { user, auditEntry }: Pick<UserCall<unknown>, 'user' | 'auditEntry'>,
  action: string,
): Promise<AuditEntry[]> {
  const accounts = await auditLogsOf(store, user);
  return accounts.map((accountId) => auditEntry(accountId, action, user.email, ''));
}

/** An owner cannot end the sessions of a user who also belongs to other accounts. */
async function checkReach(
  store: PeopleStore,
  user: StoredUser,
  person: StoredUser,
  accountId: string,
): Promise<void> {
  if (user.operator) return;
  const memberships = await store.memberships({ userId: person.id });
  if (person.operator || memberships.some((membership) => membership.accountId !== accountId))
    throw new Problem('forbidden', undefined, {
      message: 'This person also belongs to other accounts.',
      resolution: 'Ask the operator to end the sessions, or remove the person from the account.',
    });
}

/** Browsers in the order in which they are looked for: some also name those after them. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

/** Browser and system of a session, from its user agent: `Firefox on Linux`; unknown parts are left out. */
export function describeDevice(userAgent: string): string {
  const nameIn = (names: typeof BROWSERS) => names.find(([form]) => form.test(userAgent))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  return system ?? 'Unknown device';
}
