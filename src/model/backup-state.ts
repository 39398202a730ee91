/** The state of scheduled backups, as metrics, alerts and `gatehouse doctor` see it. Times are milliseconds since the epoch. */
export interface BackupState {
  /** Time of the data in the newest good backup; `null`: there is none. */
  readonly lastAt: number | null;
  /** Its length; 0: there is none. */
  readonly lastBytes: number;
  /** Good backups in the folder. */
  readonly kept: number;
  /** Time from which the lack of a newer backup is unusual. */
  readonly missingFrom: number;
  /** Attempts that failed, since the start. */
  readonly failures: number;
}
