/** POST …/simulate: which signups of a period other thresholds and weights would judge differently. */
import type { Directory } from '../../../accounts/directory.ts';
import { overlay, weighingOf } from '../../../assess/account-policy.ts';
import { simulate } from '../../../assess/explain/simulation.ts';
import type { Simulation, SimulationRequest } from '../../../contract/dashboard/account.ts';
import type { LogStore } from '../../../store/log-store.ts';
import { requireIndexed } from '../log/index-progress.ts';
import { draftEffect } from '../policy/draft-effect.ts';
import { createPopulations } from '../policy/populations.ts';
import { readWeights, WEIGHTS_SCHEMA } from '../policy/weights.ts';
import type { DashboardRoutes } from '../route.ts';
import { findKey } from '../values/find-key.ts';
import { goneSignal } from '../values/gone-signal.ts';
import { readPeriod, spanOf } from '../values/periods.ts';
import { oneOf } from '../values/refusals.ts';
import { readThresholds, THRESHOLDS_SCHEMA } from '../values/thresholds.ts';
import { createWorkPlaces } from '../values/work-places.ts';

export interface SimulateOptions {
  readonly store: Pick<LogStore, 'indexing' | 'judgedEvidence'>;
  readonly directory: Directory;
  readonly clock: () => number;
}

const TEXT = { type: 'string' };
const BODY = {
  type: 'object',
  required: ['mode', 'period', 'thresholds'],
  properties: {
    mode: TEXT,
    period: TEXT,
    key: TEXT,
    thresholds: THRESHOLDS_SCHEMA,
    weights: WEIGHTS_SCHEMA,
    baseline: TEXT,
  },
};
const MOST = 50_000;
const PLACES = { what: 'simulations', perAccount: 2, inAll: 6, retryAfterSeconds: 5 };

export function simulateRoute(routes: DashboardRoutes, { store, directory, clock }: SimulateOptions): void {
  const populationOf = createPopulations({
    store,
    clock,
    stopwatch: () => performance.now(),
    most: MOST,
    places: createWorkPlaces(PLACES),
  });

  routes.forAccount<SimulationRequest>({
    method: 'POST',
    path: '/accounts/:account/simulate',
    least: 'member',
    body: BODY,
    async handle({ account, body, reply, now }): Promise<Simulation> {
      const mode = oneOf(['live', 'test'], 'mode', body.mode);
      const { from } = spanOf(readPeriod(body.period), now);
      const thresholds = readThresholds(body.thresholds);
      const baseline = oneOf(['current', 'answered'], 'baseline', body.baseline, 'current');
      const current = weighingOf(directory.policyOf(account.id)).weights;
      const changes = readWeights(body.weights ?? {});
      const reweighed = Object.entries(changes).some(([detector, weight]) => weight !== current[detector]);
      const weights = { current, draft: reweighed ? overlay(current, changes) : current };
      const key = body.key === undefined ? {} : { keyId: findKey(directory, account.id, body.key).id };
      const search = { mode, since: from, ...key };
      const gone = goneSignal(reply);
      await requireIndexed(store);
      const { judged, sampled } = await populationOf({ accountId: account.id, search, weights, gone });
      const effectOn = draftEffect({
        keys: directory.keysOf(account.id),
        accountThresholds: directory.thresholdsOf(account.id),
        reweighed,
        ...key,
      });
      return simulate(judged, { thresholds, baseline, effectOn }, sampled);
    },
  });
}
