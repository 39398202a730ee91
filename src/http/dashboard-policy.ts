/** GET …/policy, PUT of thresholds, POST of a policy: the rules that judge the account's signups. */
import { describeThresholds, nameUser } from '../accounts/audit-log.ts';
import type { Directory } from '../accounts/directory.ts';
import type { PolicyChange, PolicyPage, PolicyVersion } from '../contract/dashboard-account.ts';
import type { Thresholds } from '../model/policy.ts';
import { effectiveWeights, overlay, ownWeights } from '../signup/account-policy.ts';
import { DEFAULT_POLICY, RULES } from '../signup/policy.ts';
import type { PolicyStore, StoredPolicy } from '../store/dashboard-store.ts';
import type { Account, AccountStore, Key } from '../store/store.ts';
import { createReadOptional } from './core/body.ts';
import { toInstant } from './dashboard-history.ts';
import { findKey, toKeyRow } from './dashboard-keys.ts';
import { readThresholds, readWeights, THRESHOLDS_SCHEMA, WEIGHTS_SCHEMA } from './dashboard-policy-values.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, lineOf, TEXT } from './dashboard-values.ts';

export interface PolicyRoutesOptions {
  readonly store: PolicyStore & Pick<AccountStore, 'changeAccount' | 'changeKey'>;
  readonly directory: Directory;
}

export function policyRoutes(routes: DashboardRoutes, options: PolicyRoutesOptions): void {
  const { store, directory } = options;
  const readBody = createReadOptional<Thresholds>(THRESHOLDS_SCHEMA);

  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/policy',
    minRole: 'member',
    handle: ({ account }) => toPage(account, options),
  });

  routes.forAccount({
    method: 'PUT',
    path: '/accounts/:account/thresholds',
    minRole: 'owner',
    async handle({ account, context, auditEntry }: AccountCall<undefined>): Promise<PolicyPage> {
      const thresholds = readOrNone(readBody(context.rawBody));
      const entry = auditEntry('thresholds.set', 'account', describeThresholds('account', thresholds));
      await store.changeAccount(account.id, { thresholds }, entry);
      await directory.refresh();
      return toPage({ ...account, thresholds }, options);
    },
  });

  routes.forAccount({
    method: 'PUT',
    path: '/accounts/:account/keys/:key/thresholds',
    minRole: 'owner',
    async handle({ account, params, context, auditEntry }: AccountCall<undefined>): Promise<PolicyPage> {
      const key: Key = findKey(directory, account.id, params.key);
      const thresholds = readOrNone(readBody(context.rawBody));
      const entry = auditEntry('thresholds.set', `key ${key.name}`, describeThresholds('key', thresholds));
      await store.changeKey(key.id, { thresholds }, entry);
      await directory.refresh();
      return toPage(account, options);
    },
  });

  routes.forAccount<PolicyChange>({
    method: 'POST',
    path: '/accounts/:account/policy',
    minRole: 'owner',
    body: bodyOf({ weights: WEIGHTS_SCHEMA, note: TEXT }, ['weights']),
    async handle({ account, body, user, now, auditEntry }): Promise<PolicyVersion> {
      const current = effectiveWeights(directory.policyOf(account.id)).weights;
      const weights = ownWeights(overlay(current, readWeights(body.weights)));
      const note = (body.note ?? '') === '' ? '' : lineOf('note', body.note);
      const made = { accountId: account.id, weights, createdAt: now, author: nameUser(user), note };
      const entryOf = (version: string) => auditEntry('policy.save', version, describeWeights(weights));
      const saved = await store.savePolicy(made, entryOf);
      await directory.refresh();
      return toVersion(saved);
    },
  });
}

function readOrNone(thresholds: Thresholds | null): Thresholds | null {
  return thresholds === null ? null : readThresholds(thresholds);
}

async function toPage(account: Account, { store, directory }: PolicyRoutesOptions): Promise<PolicyPage> {
  const { version, weights } = effectiveWeights(directory.policyOf(account.id));
  const versions = await store.policies(account.id);
  return {
    thresholds: directory.thresholdsOf(account.id),
    own_thresholds: account.thresholds !== null,
    keys: directory.keysOf(account.id).map(toKeyRow),
    detectors: RULES.map(({ detector, code, rationale, limit }) => ({
      detector,
      code,
      weight: weights[detector] ?? 0,
      default_weight: DEFAULT_POLICY.weights[detector] ?? 0,
      max_weight: limit,
      rationale,
    })),
    current: version,
    versions: versions.map(toVersion),
  };
}

function toVersion({ version, weights, createdAt, author, note }: StoredPolicy): PolicyVersion {
  return { version, weights, created_at: toInstant(createdAt), author, note };
}

function describeWeights(weights: Readonly<Record<string, number>>): string {
  const changes = Object.entries(weights).map(([detector, weight]) => `${detector} ${weight}`);
  return changes.length === 0 ? 'the defaults' : changes.join(', ');
}
