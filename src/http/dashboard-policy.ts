/** GET …/policy, PUT of thresholds, POST of a policy: the rules that judge the account's signups. */
import { describeNewThresholds, describeWeights, nameUser } from '../accounts/audit-log.ts';
import { changeDirectory } from '../accounts/change-directory.ts';
import type { Directory } from '../accounts/directory.ts';
import { createKeyAdmin, type KeyAdminOptions } from '../accounts/key-admin.ts';
import type { PolicyChange, PolicyPage, PolicyVersion } from '../contract/dashboard-account.ts';
import { Problem } from '../contract/problem.ts';
import type { Thresholds } from '../model/policy.ts';
import { effectiveWeights, overlay, ownWeights } from '../signup/account-policy.ts';
import { DEFAULT_POLICY, RULES } from '../signup/policy.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { PolicyStore, StoredPolicy } from '../store/dashboard-store.ts';
import type { Account, AccountStore, Key } from '../store/store.ts';
import { createReadOptional } from './core/body.ts';
import { toInstant } from './dashboard-history.ts';
import { findKey, toKeyRow } from './dashboard-keys.ts';
import { readThresholds, readWeights, THRESHOLDS_SCHEMA, WEIGHTS_SCHEMA } from './dashboard-policy-values.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, lineOf, TEXT } from './dashboard-values.ts';
import { keyFacts, policyFacts } from './state-facts.ts';
import { type Fact, requireVersion, versionOf } from './state-version.ts';

export interface PolicyRoutesOptions extends KeyAdminOptions {
  readonly store: PolicyStore & Pick<AccountStore, 'ifDirectoryIs'> & Pick<AuditStore, 'auditEntries'>;
  readonly directory: Directory;
}

export function policyRoutes(routes: DashboardRoutes, options: PolicyRoutesOptions): void {
  const { store, directory } = options;
  const readBody = createReadOptional<Thresholds>(THRESHOLDS_SCHEMA);
  const keys = createKeyAdmin(options);
  /** @throws Problem `changed_meanwhile` */
  const requirePolicy = (accountId: string, version: string | undefined, more: readonly Fact[] = []) =>
    requireVersion(version, [...factsOf(accountOf(accountId, directory), directory), ...more], {
      store,
      accountId,
    });

  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/policy',
    minRole: 'member',
    handle: ({ account }) => toPage(account.id, options),
  });

  routes.forAccount({
    method: 'PUT',
    path: '/accounts/:account/thresholds',
    minRole: 'owner',
    async handle({ account, query, context, auditEntry }: AccountCall<undefined>): Promise<PolicyPage> {
      const thresholds = readOrNone(readBody(context.rawBody));
      await changeDirectory(options, async (store) => {
        await requirePolicy(account.id, query.version);
        const { thresholds: before } = accountOf(account.id, directory);
        const detail = describeNewThresholds('account', before, thresholds);
        const entry = auditEntry('thresholds.set', 'account', detail);
        await store.changeAccount(account.id, { thresholds }, entry);
      });
      return toPage(account.id, options);
    },
  });

  routes.forAccount({
    method: 'PUT',
    path: '/accounts/:account/keys/:key/thresholds',
    minRole: 'owner',
    async handle(call: AccountCall<undefined>): Promise<PolicyPage> {
      const { account, params, query, context, auditEntry } = call;
      const key = findKey(directory, account.id, params.key);
      const thresholds = readOrNone(readBody(context.rawBody));
      const check = (current: Key) => requirePolicy(account.id, query.version, keyFacts(current));
      await keys.change(key, { thresholds }, auditEntry, check);
      return toPage(account.id, options);
    },
  });

  routes.forAccount<PolicyChange>({
    method: 'POST',
    path: '/accounts/:account/policy',
    minRole: 'owner',
    body: bodyOf({ weights: WEIGHTS_SCHEMA, note: TEXT }, ['weights']),
    async handle({ account, body, query, user, now, auditEntry }): Promise<PolicyVersion> {
      const changes = readWeights(body.weights);
      const note = (body.note ?? '') === '' ? '' : lineOf('note', body.note);
      const saved = await changeDirectory(options, async (store) => {
        await requirePolicy(account.id, query.version);
        const current = effectiveWeights(directory.policyOf(account.id)).weights;
        const weights = ownWeights(overlay(current, changes));
        const made = { accountId: account.id, weights, createdAt: now, author: nameUser(user), note };
        const entryOf = (version: string) =>
          auditEntry('policy.save', version, describeWeights(current, overlay(current, changes)));
        return store.savePolicy(made, entryOf);
      });
      return toVersion(saved);
    },
  });
}

function readOrNone(thresholds: Thresholds | null): Thresholds | null {
  return thresholds === null ? null : readThresholds(thresholds);
}

/** @throws Problem `not_found` where it was deleted meanwhile */
function accountOf(accountId: string, directory: Directory): Account {
  const account = directory.account(accountId);
  if (account === undefined) throw new Problem('not_found');
  return account;
}

function factsOf(account: Account, directory: Directory): readonly Fact[] {
  return policyFacts(account, directory.policyOf(account.id));
}

async function toPage(accountId: string, { store, directory }: PolicyRoutesOptions): Promise<PolicyPage> {
  const account = accountOf(accountId, directory);
  const facts = factsOf(account, directory);
  const { version, weights } = effectiveWeights(directory.policyOf(account.id));
  const versions = await store.policies(account.id);
  return {
    thresholds: directory.thresholdsOf(account.id),
    own_thresholds: account.thresholds !== null,
    keys: directory
      .keysOf(account.id)
      .map((key) => ({ ...toKeyRow(key), version: versionOf([...facts, ...keyFacts(key)]) })),
    detectors: RULES.map(({ detector, code, rationale, limit }) => ({
      detector,
      code,
      weight: weights[detector] ?? 0,
      default_weight: DEFAULT_POLICY.weights[detector] ?? 0,
      max_weight: limit,
      rationale,
    })),
    current: version,
    version: versionOf(facts),
    versions: versions.map(toVersion),
  };
}

function toVersion({ version, weights, createdAt, author, note }: StoredPolicy): PolicyVersion {
  return { version, weights, created_at: toInstant(createdAt), author, note };
}
