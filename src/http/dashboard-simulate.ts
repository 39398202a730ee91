/** POST …/simulate: which signups of a period other thresholds and weights would judge differently. */
import type { Directory } from '../accounts/directory.ts';
import type { Simulation, SimulationRequest } from '../contract/dashboard-account.ts';
import { isEnforced, isInShadow } from '../model/enforced-share.ts';
import type { Thresholds } from '../model/policy.ts';
import { effectiveWeights, overlay } from '../signup/account-policy.ts';
import { type DraftEffect, type ReplaySample, simulate } from '../signup/simulation.ts';
import type { HistoryStore } from '../store/history-store.ts';
import type { Key } from '../store/store.ts';
import { requireIndexed } from './dashboard-history.ts';
import { findKey } from './dashboard-keys.ts';
import { readPeriod, spanOf } from './dashboard-periods.ts';
import { readThresholds, readWeights, THRESHOLDS_SCHEMA, WEIGHTS_SCHEMA } from './dashboard-policy-values.ts';
import { createPopulations } from './dashboard-populations.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, oneOf, readMode, TEXT } from './dashboard-values.ts';
import { createWorkPlaces, goneSignal } from './dashboard-work-places.ts';

export interface SimulateOptions {
  readonly store: Pick<HistoryStore, 'indexing' | 'replayableAssessments'>;
  readonly directory: Directory;
  readonly clock: () => number;
}

const PROPERTIES = {
  mode: TEXT,
  period: TEXT,
  key: TEXT,
  thresholds: THRESHOLDS_SCHEMA,
  weights: WEIGHTS_SCHEMA,
  baseline: TEXT,
  observed: { type: 'boolean' },
};
const MAX_SIGNUPS = 50_000;
const PLACES = { what: 'simulations', perAccount: 2, inAll: 6, retryAfterSeconds: 5 };

export function simulateRoute(routes: DashboardRoutes, { store, directory, clock }: SimulateOptions): void {
  const populationOf = createPopulations({
    store,
    clock,
    stopwatch: () => performance.now(),
    maxSignups: MAX_SIGNUPS,
    places: createWorkPlaces(PLACES),
  });

  routes.forAccount<SimulationRequest>({
    method: 'POST',
    path: '/accounts/:account/simulate',
    minRole: 'member',
    body: bodyOf(PROPERTIES, ['mode', 'period', 'thresholds']),
    async handle({ account, body, context, now }): Promise<Simulation> {
      const mode = readMode(body.mode);
      const { from } = spanOf(readPeriod(body.period), now, account.timeZone);
      const thresholds = readThresholds(body.thresholds);
      const baseline = oneOf(['current', 'answered'], 'baseline', body.baseline, 'current');
      const current = effectiveWeights(directory.policyOf(account.id)).weights;
      const changes = readWeights(body.weights ?? {});
      const reweighted = Object.entries(changes).some(([detector, weight]) => weight !== current[detector]);
      const weights = { current, draft: reweighted ? overlay(current, changes) : current };
      const key = body.key === undefined ? {} : { keyId: findKey(directory, account.id, body.key).id };
      const search = { mode, since: from, ...key };
      const gone = goneSignal(context);
      await requireIndexed(store);
      const { results, sampled } = await populationOf({ accountId: account.id, search, weights, gone });
      const effectOn = draftEffect({
        keys: directory.keysOf(account.id),
        accountThresholds: directory.thresholdsOf(account.id),
        reweighted,
        withObserved: body.observed ?? false,
        ...key,
      });
      return simulate(results, { thresholds, baseline, effectOn }, sampled);
    },
  });
}

export interface DraftTarget {
  /** The account's keys, revoked ones too. */
  readonly keys: readonly Key[];
  /** Current thresholds of keys without their own. */
  readonly accountThresholds: Thresholds;
  /** The key whose thresholds are drafted; absent: the account's. */
  readonly keyId?: string;
  /** Whether the draft has other weights: they affect every key. */
  readonly reweighted: boolean;
  /** Whether signups of keys in shadow mode count as if these answered with the verdict. */
  readonly withObserved: boolean;
}

/**
 * Decides which signups a draft affects, and which thresholds their keys have now. Any other key id marks signups from the
 * page "Try it": the account's thresholds apply to those.
 */
export function draftEffect({ keys, accountThresholds, keyId, reweighted, withObserved }: DraftTarget) {
  const effects = new Map(keys.map((key) => [key.id, effectOnKey(key)]));
  const observing = withObserved
    ? new Map<string, Key>()
    : new Map(keys.filter((key) => isInShadow(key) && key.id !== keyId).map((key) => [key.id, key]));
  const onOthers: DraftEffect = { kind: 'thresholds', current: accountThresholds };

  function effectOnKey({ id, thresholds, revokedAt }: Key): DraftEffect {
    if (revokedAt !== null) return { kind: 'none', why: 'revoked' };
    const current = thresholds ?? accountThresholds;
    if (thresholds === null || id === keyId) return { kind: 'thresholds', current };
    return reweighted ? { kind: 'weights', current } : { kind: 'none', why: 'own_thresholds' };
  }

  return ({ keyId: id, mailboxHash }: Pick<ReplaySample, 'keyId' | 'mailboxHash'>): DraftEffect => {
    const effect = effects.get(id) ?? onOthers;
    const key = observing.get(id);
    if (key === undefined || key.revokedAt !== null || isEnforced(key, mailboxHash)) return effect;
    // Its answers stay `allow`, whatever the verdict is.
    return { kind: 'none', why: 'observed' };
  };
}
