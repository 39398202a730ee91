/** The port for alerts: what is unusual is seen again and again while it lasts, and is over once nobody has seen it for a while. */
import type { Alert, AlertKind, AlertSighting, AlertState } from '../model/alert.ts';

export interface AlertPage {
  readonly alerts: readonly Alert[];
  /** Pass it as `after` for the next page; `null` at the end. */
  readonly next: string | null;
}

/** Gives the message of an event about an alert of an account, in the form of the wire. */
export type DescribeAlert = (alert: Alert) => Readonly<Record<string, unknown>>;

export interface AlertStore {
  /**
   * Opens an alert and writes the event of it, unless one about the same is open: then that was seen again, by whatever process. Its count grows only, and
   * what the signups share is that of the largest count.
   * @param id of a new alert; ids sort by time
   * @returns the alert that is open now; its id is the given one if it is new. `undefined`: there is no such account
   */
  seeAlert(id: string, sighting: AlertSighting, describe: DescribeAlert): Promise<Alert | undefined>;
  /** Closes alerts of these kinds, and writes the events of it, that were last seen before an instant, oldest first. @returns those that this call closed */
  closeUnseenAlerts(
    kinds: readonly AlertKind[],
    seenBefore: number,
    now: number,
    describe: DescribeAlert,
  ): Promise<readonly Alert[]>;
  /** Alerts of all accounts and of the installation that are open, or were closed at or after an instant; at most 10,000, the newest. */
  recentAlerts(closedSince: number): Promise<readonly Alert[]>;
  /** An alert of the account itself. */
  findAlert(accountId: string, id: string): Promise<Alert | undefined>;
  /** Alerts of an account, newest first, and with them those of the installation. */
  alerts(
    accountId: string,
    filter: {
      readonly state?: AlertState | undefined;
      readonly after?: string | null;
      readonly limit: number;
    },
  ): Promise<AlertPage>;
  /** Forgets what their signups share, which may be data of a person. */
  blankAlerts(ids: readonly string[]): Promise<void>;
  /** Does so for closed alerts that ended earlier. @returns how many */
  blankOldAlerts(before: number, maxBlanked: number): Promise<number>;
  /** Removes closed alerts that ended earlier. @returns how many */
  pruneAlerts(before: number, maxPruned: number): Promise<number>;
}
