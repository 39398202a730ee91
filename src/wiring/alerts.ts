/** Wires the alerts: who watches signups, keys, sources and feeds. */
import type { Directory } from '../accounts/directory.ts';
import { createLiveAlerts, type LiveAlertsOptions } from '../alerts/live-alerts.ts';
import type { Config } from '../config/config.ts';
import { createMakeId } from '../contract/identifiers.ts';
import { isCrowdedDomain } from '../evidence/list-trial.ts';
import type { Metrics } from '../http/metrics.ts';
import type { LiveIntel } from '../intel/live-intel.ts';
import type { Clocks } from '../platform/steady-clock.ts';
import type { Pruner } from '../store/pruner.ts';
import type { WiredEvidence } from './evidence.ts';
import { retentionOf } from './storage.ts';

export function wireAlerts(
  shared: Pick<LiveAlertsOptions, 'store' | 'log' | 'backups'> & {
    readonly config: Config;
    readonly metrics: Pick<Metrics, 'alertsOpen' | 'backups'>;
    readonly clocks: Clocks;
    readonly directory: Directory;
    readonly intel: LiveIntel;
    readonly evidence: WiredEvidence;
  },
): Pruner {
  const { config, clocks, intel, evidence } = shared;
  shared.metrics.backups(shared.backups);
  return createLiveAlerts({
    ...shared,
    clock: clocks.wall,
    makeId: createMakeId(),
    isCrowded: (value) => isCrowdedDomain({ kind: 'domain', value }, intel.current()),
    distrusted: evidence.distrusted,
    feeds: () => (config.feeds ? intel.status() : []),
    sharedAddresses: () => evidence.sharedAddresses.list(clocks.wall()),
    retention: retentionOf(config),
    personalDays: config.retentionPersonalDays,
  });
}
