/** /dashboard/api/operator/accounts: operators create and change the accounts of the installation. */
import { describeAccountChanges } from '../accounts/audit-log.ts';
import { changeDirectory } from '../accounts/change-directory.ts';
import type { Directory } from '../accounts/directory.ts';
import { limitsOf } from '../accounts/plans.ts';
import { readName } from '../accounts/user-fields.ts';
import type { OperatorAccount } from '../contract/dashboard-installation.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { ManageAccount } from '../contract/manage-messages.ts';
import { PLAN_NAMES, type PlanName } from '../contract/messages.ts';
import { Problem } from '../contract/problem.ts';
import { parseTimeZone, type TimeZone, UTC } from '../model/time-zone.ts';
import { monthOf } from '../platform/month.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { Account, AccountChanges, AccountStore, AssessmentStore } from '../store/store.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, SHORT_TEXT, shown, unusable } from './dashboard-values.ts';
import { accountFacts } from './state-facts.ts';
import { requireVersion, versionOf } from './state-version.ts';

export interface AccountRoutesOptions {
  readonly store: Pick<AccountStore, 'saveAccount' | 'ifDirectoryIs'> &
    Pick<AssessmentStore, 'creditsUsed'> &
    Pick<AuditStore, 'auditEntries'>;
  readonly directory: Pick<Directory, 'account' | 'accounts' | 'refresh'>;
  readonly makeId: MakeId;
}

/** Absent members do not change. */
export interface LimitChanges {
  readonly name?: string | undefined;
  readonly plan?: PlanName | undefined;
  readonly overage?: boolean | undefined;
  /** `null`: what the plan includes. */
  readonly monthly_quota?: number | null | undefined;
  readonly requests_per_second?: number | null | undefined;
  readonly time_zone?: string | undefined;
}

const PROPERTIES = {
  name: SHORT_TEXT,
  plan: { enum: PLAN_NAMES },
  overage: { type: 'boolean' },
  monthly_quota: { type: ['integer', 'null'], minimum: 0, maximum: 1e12 },
  requests_per_second: { type: ['integer', 'null'], minimum: 1, maximum: 100_000 },
  time_zone: SHORT_TEXT,
};

export function accountRoutes(routes: DashboardRoutes, options: AccountRoutesOptions): void {
  const { store, directory } = options;

  async function show(account: Account, now: number): Promise<OperatorAccount> {
    return {
      ...showAccount(account),
      used: await store.creditsUsed(account.id, monthOf(now)),
      limit: limitsOf(account).monthlyAssessments,
      version: versionOf(accountFacts(account)),
    };
  }

  routes.forOperator({
    method: 'GET',
    path: '/operator/accounts',
    handle: ({ now }) => Promise.all(directory.accounts().map((account) => show(account, now))),
  });
  routes.forOperator<LimitChanges & { name: string; plan: PlanName }>({
    method: 'POST',
    path: '/operator/accounts',
    body: bodyOf(PROPERTIES, ['name', 'plan']),
    async handle({ body, now, auditEntry }) {
      const id = options.makeId('acc', now);
      const changes = readAccountChanges(body, body.plan);
      const { overage = false, monthlyQuota = null, requestsPerSecond = null, timeZone = UTC } = changes;
      const name = readName(body.name);
      const limits = { overage, monthlyQuota, requestsPerSecond, timeZone, thresholds: null };
      const account = { id, name, plan: body.plan, ...limits, createdAt: now };
      await store.saveAccount(
        account,
        auditEntry(id, 'account_created', name, describeAccountChanges(changes)),
      );
      await directory.refresh();
      return show(account, now);
    },
  });
  routes.forOperator<LimitChanges>({
    method: 'PATCH',
    path: '/operator/accounts/:account',
    body: bodyOf(PROPERTIES, []),
    async handle({ params, body, query, now, auditEntry }) {
      const id = params.account as string;
      const find = () => {
        const account = directory.account(id);
        if (account === undefined) throw new Problem('not_found');
        return account;
      };
      find();
      await changeDirectory(options, async (conditional) => {
        const before = find();
        await requireVersion(query.version, accountFacts(before), { store, accountId: id });
        const changes = readAccountChanges(body, before.plan);
        const words = describeAccountChanges(changes, before);
        const entry = auditEntry(id, 'account_changed', changes.name ?? before.name, words);
        await conditional.changeAccount(id, changes, entry);
      });
      return show(find(), now);
    },
  });
}

/** Reads changes, also those of the management API. @throws Problem when the change does not fit the plan */
export function readAccountChanges(changes: LimitChanges, currentPlan: PlanName): AccountChanges {
  const plan = changes.plan ?? currentPlan;
  if (plan === 'free' && changes.overage === true) {
    throw new Problem('invalid_value', 'overage', {
      message: 'Plan free does not allow overage.',
      resolution: 'Choose a larger plan, or leave overage off.',
    });
  }
  return {
    name: changes.name === undefined ? undefined : readName(changes.name),
    plan: changes.plan,
    overage: changes.plan === 'free' ? false : changes.overage,
    monthlyQuota: changes.monthly_quota,
    requestsPerSecond: changes.requests_per_second,
    timeZone: changes.time_zone === undefined ? undefined : readTimeZone(changes.time_zone),
  };
}

/** @throws Problem `invalid_value` */
function readTimeZone(text: string): TimeZone {
  const zone = parseTimeZone(text);
  if (zone !== undefined) return zone;
  throw unusable(
    'time_zone',
    `${shown(text)} is not a time zone.`,
    'Send a name of the IANA time zone database such as Europe/Berlin, or UTC.',
  );
}

/** An account as both APIs show it. */
export function showAccount(account: Account): ManageAccount {
  return {
    id: account.id,
    name: account.name,
    plan: account.plan,
    overage: account.overage,
    monthly_quota: account.monthlyQuota,
    requests_per_second: account.requestsPerSecond,
    thresholds: account.thresholds,
    time_zone: account.timeZone,
    created_at: toTimestamp(account.createdAt),
  };
}
