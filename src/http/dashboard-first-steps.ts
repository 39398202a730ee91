/** GET …/first-steps: what an account has done of its first steps. */
import type { Directory } from '../accounts/directory.ts';
import type { FirstSteps } from '../contract/dashboard-account.ts';
import { isExampleIp } from '../contract/first-request.ts';
import type { PeopleStore } from '../store/dashboard-store.ts';
import type { HistoryEntry, HistoryStore } from '../store/history-store.ts';
import { DASHBOARD_KEY, toAssessmentRow } from './dashboard-history.ts';
import { isOpen } from './dashboard-people.ts';
import type { DashboardRoutes } from './dashboard-route.ts';

export interface FirstStepsOptions {
  readonly store: Pick<HistoryStore, 'findAssessments'> &
    Pick<PeopleStore, 'memberships' | 'users' | 'invitations'>;
  readonly directory: Pick<Directory, 'keysOf'>;
}

/** More signups than a person makes while trying things out. */
const MAX_TRIES = 50;

export function firstStepsRoute(routes: DashboardRoutes, { store, directory }: FirstStepsOptions): void {
  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/first-steps',
    minRole: 'member',
    async handle({ account, now }): Promise<FirstSteps> {
      const [live, test, users, memberships, invitations] = await Promise.all([
        store.findAssessments(account.id, { mode: 'live' }, null, MAX_TRIES),
        store.findAssessments(account.id, { mode: 'test' }, null, 1),
        store.users(),
        store.memberships({ accountId: account.id }),
        store.invitations({ accountId: account.id }),
      ]);
      const people = new Set(memberships.map(({ userId }) => userId));
      for (const user of users) if (user.operator) people.add(user.id);
      return {
        latest: { live: rowOf(live.rows[0]), test: rowOf(test.rows[0]) },
        key_used: directory.keysOf(account.id).some(({ lastUsedAt }) => lastUsedAt !== null),
        live_signup: live.rows.some(({ keyId, ip }) => keyId !== DASHBOARD_KEY && !isExampleIp(ip)),
        people: people.size,
        invited: invitations.filter((invitation) => isOpen(invitation, now)).length,
      };
    },
  });
}

function rowOf(row: HistoryEntry | undefined) {
  return row === undefined ? null : toAssessmentRow(row);
}
