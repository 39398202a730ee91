/** One thing that `gatehouse doctor` looked at, and what to do about it. */

export interface DoctorCheck {
  readonly name: string;
  /** A `warning` needs somebody's attention, but signups are assessed and stored. */
  readonly state: 'ok' | 'warning' | 'failed';
  readonly found: string;
  /** Steps to take; `null` where there is nothing to do. */
  readonly advice: string | null;
}
