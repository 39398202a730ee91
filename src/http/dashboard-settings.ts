/** PATCH …/settings: what the owners of an account set for its pages. */
import { describeAccountChanges } from '../accounts/audit-log.ts';
import { changeDirectory } from '../accounts/change-directory.ts';
import type { Directory } from '../accounts/directory.ts';
import type { AccountSettings } from '../contract/dashboard-account.ts';
import { Problem } from '../contract/problem.ts';
import { UTC } from '../model/time-zone.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { AccountStore } from '../store/store.ts';
import { readAccountChanges } from './dashboard-accounts.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, SHORT_TEXT } from './dashboard-values.ts';
import { zoneFacts } from './state-facts.ts';
import { requireVersion } from './state-version.ts';

export interface SettingsRouteOptions {
  readonly store: Pick<AccountStore, 'ifDirectoryIs'> & Pick<AuditStore, 'auditEntries'>;
  readonly directory: Pick<Directory, 'refresh' | 'account'>;
}

export function settingsRoute(routes: DashboardRoutes, options: SettingsRouteOptions): void {
  const { store, directory } = options;
  routes.forAccount<AccountSettings>({
    method: 'PATCH',
    path: '/accounts/:account/settings',
    minRole: 'owner',
    body: bodyOf({ time_zone: SHORT_TEXT }, ['time_zone']),
    async handle({ account: { id }, body, query, auditEntry }): Promise<AccountSettings> {
      return changeDirectory(options, async (conditional) => {
        const account = directory.account(id);
        if (account === undefined) throw new Problem('not_found');
        await requireVersion(query.version, zoneFacts(account), { store, accountId: id });
        const { timeZone = UTC } = readAccountChanges({ time_zone: body.time_zone }, account.plan);
        const detail = describeAccountChanges({ timeZone }, account);
        const entry = auditEntry('account_changed', account.name, detail);
        if (timeZone !== account.timeZone) await conditional.changeAccount(id, { timeZone }, entry);
        return { time_zone: timeZone };
      });
    },
  });
}
