/** PATCH …/settings: what the owners of an account set for its pages. */
import { describeAccountChanges } from '../accounts/audit-log.ts';
import type { Directory } from '../accounts/directory.ts';
import type { AccountSettings } from '../contract/dashboard-account.ts';
import type { AccountStore } from '../store/store.ts';
import { readAccountChanges } from './dashboard-accounts.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, SHORT_TEXT } from './dashboard-values.ts';

export interface SettingsRouteOptions {
  readonly store: Pick<AccountStore, 'changeAccount'>;
  readonly directory: Pick<Directory, 'refresh'>;
}

export function settingsRoute(routes: DashboardRoutes, { store, directory }: SettingsRouteOptions): void {
  routes.forAccount<AccountSettings>({
    method: 'PATCH',
    path: '/accounts/:account/settings',
    minRole: 'owner',
    body: bodyOf({ time_zone: SHORT_TEXT }, ['time_zone']),
    async handle({ account, body, auditEntry }): Promise<AccountSettings> {
      const { timeZone = account.timeZone } = readAccountChanges({ time_zone: body.time_zone }, account.plan);
      if (timeZone !== account.timeZone) {
        const detail = describeAccountChanges({ timeZone });
        await store.changeAccount(
          account.id,
          { timeZone },
          auditEntry('account_changed', account.name, detail),
        );
        await directory.refresh();
      }
      return { time_zone: timeZone };
    },
  });
}
