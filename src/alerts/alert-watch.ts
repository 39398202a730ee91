/** Looks once a minute at every account, opens alerts, and closes those of what was not unusual for a while. */
import type { Directory } from '../accounts/directory.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { Alert, AlertKind, AlertSighting } from '../model/alert.ts';
import type { AlertStore } from '../store/alert-store.ts';
import type { HistoryStore } from '../store/history-store.ts';
import { messageOf } from './alert-words.ts';
import { STEP_MS } from './unusual.ts';
import { type InstallationState, watchInstallation } from './watch-conditions.ts';
import type { Watch } from './watch-signups.ts';

export interface AlertWatchOptions extends InstallationState {
  readonly store: Pick<AlertStore, 'seeAlert' | 'closeUnseenAlerts' | 'recentAlerts'> &
    Pick<HistoryStore, 'indexing'>;
  readonly directory: Pick<Directory, 'accounts' | 'keysOf' | 'hooksOf'>;
  /** Each looks at an account for itself: what one cannot read does not keep others from looking. */
  readonly watches: readonly Watch[];
  /** Watches that read many signups: once in ten minutes. */
  readonly slowWatches: readonly Watch[];
  readonly makeId: MakeId;
  readonly onOpened: (alert: Alert) => void;
  readonly onClosed: (alert: Alert) => void;
  /** All open ones, after each round. */
  readonly onOpen: (alerts: readonly Alert[]) => void;
  readonly onFault: (error: Error) => void;
}

export interface AlertWatch {
  /**
   * Looks at every account as of now.
   * @param now milliseconds since the epoch
   * @param signal ends it before the next account
   */
  round(now: number, signal?: AbortSignal): Promise<void>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/**
 * Signups are usual again for three steps before it is over. A condition that holds or not needs less patience, except the
 * quota: slow watches see it once in a step only.
 */
const QUIET: readonly { readonly kinds: readonly AlertKind[]; readonly ms: number }[] = [
  {
    kinds: ['signups', 'blocked', 'challenged', 'shadow', 'quota', 'bounced', 'complained'],
    ms: 3 * STEP_MS,
  },
  { kinds: ['campaign', 'shared_address', 'source', 'feed', 'backup'], ms: 5 * MINUTE_MS },
];
/** Time after which an alert explains no other one any more. */
const LATELY_MS = 6 * HOUR_MS;

export function createAlertWatch(options: AlertWatchOptions): AlertWatch {
  const { store, directory, makeId, onOpened, onClosed, onOpen, onFault } = options;
  let firstRoundAt: number | undefined;
  /** Step of the last round in which everything was looked at. */
  let lookedAt: number | undefined;

  const describe = (alert: Alert) => describeAlert(alert, directory);

  async function see(sighting: AlertSighting): Promise<void> {
    const id = makeId('alr', sighting.at);
    const alert = await store.seeAlert(id, sighting, describe);
    if (alert?.id === id) onOpened(alert);
  }

  async function lookAt(
    watches: readonly Watch[],
    account: ReturnType<Directory['accounts']>[number],
    recent: readonly Alert[],
    now: number,
  ): Promise<void> {
    const own = recent.filter(({ accountId }) => accountId === account.id);
    const open = new Map(
      own
        .filter(({ closedAt }) => closedAt === null)
        .map((alert) => [`${alert.kind} ${alert.subject}`, alert]),
    );
    const watched = {
      account,
      keys: directory.keysOf(account.id),
      now,
      openCount: (kind: AlertKind, subject: string) => open.get(`${kind} ${subject}`)?.count,
      hadLately: (kind: AlertKind) => own.some((alert) => alert.kind === kind),
    };
    for (const watch of watches) {
      try {
        for (const sighting of await watch(watched)) await see(sighting);
      } catch (error) {
        onFault(error as Error);
      }
    }
  }

  /** A process that has just started does not know yet what lasts: it closes nothing before it has looked for as long. */
  async function closeUnseen(now: number, runningMs: number): Promise<void> {
    for (const { kinds, ms } of QUIET) {
      if (runningMs < ms) continue;
      for (const alert of await store.closeUnseenAlerts(kinds, now - ms, now, describe)) onClosed(alert);
    }
  }

  return {
    async round(now, signal) {
      firstRoundAt ??= now;
      for (const sighting of watchInstallation(options, now)) await see(sighting);
      // Signups that are not indexed yet would be missing: the next round sees them.
      if ((await store.indexing(now)) === null) {
        const step = Math.floor(now / STEP_MS);
        const watches = step === lookedAt ? options.watches : [...options.watches, ...options.slowWatches];
        const recent = await store.recentAlerts(now - LATELY_MS);
        for (const account of directory.accounts()) {
          if (signal?.aborted === true) return;
          await lookAt(watches, account, recent, now);
        }
        lookedAt = step;
        await closeUnseen(now, now - firstRoundAt);
      }
      onOpen((await store.recentAlerts(now + HOUR_MS)).filter(({ closedAt }) => closedAt === null));
    },
  };
}

function describeAlert(alert: Alert, directory: AlertWatchOptions['directory']) {
  const owners = [...directory.keysOf(alert.accountId), ...directory.hooksOf(alert.accountId)];
  return messageOf(alert, (id) => owners.find((owner) => owner.id === id)?.name);
}
