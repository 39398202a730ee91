/** An alert: something unusual in an account, as it is stored. */

/**
 * `signups`: far more than usual · `blocked`, `challenged`: a larger share than usual · `campaign`: a sure wave was found, and nobody
 * has decided about it · `shadow`: a key in shadow mode lets in far more than usual that its verdicts would stop · `quota`: 80 or
 * 100 % of the month is used · `shared_address`: nearly all signups of a key or hook have one IP · `source`: its answers are
 * wrong, so they do not count · `feed`: an update was refused, or none came for long · `backup`: a scheduled one is missing · `bounced`,
 * `complained`: of the people who signed up lately, more mails bounced or were reported as spam than a provider of mail lets pass.
 */
export const ALERT_KINDS = [
  'signups',
  'blocked',
  'challenged',
  'campaign',
  'shadow',
  'quota',
  'shared_address',
  'source',
  'feed',
  'bounced',
  'complained',
  'backup',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Kinds that only an operator can help with, and sees. */
export const OPERATOR_ALERTS: ReadonlySet<AlertKind> = new Set(['feed', 'backup']);

export const ALERT_STATES = ['open', 'closed'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** Properties that signups are compared by, the most telling first. */
export const SHARED_FEATURES = ['range', 'network', 'domain', 'mailbox', 'session', 'finding'] as const;
export type SharedFeature = (typeof SHARED_FEATURES)[number];

/** A value that most of the signups have, and others have not. */
export interface SharedValue {
  readonly feature: SharedFeature;
  /** A CIDR block, an AS number without `AS`, a domain, a keyed hash, a session id, a detector. */
  readonly value: string;
  /** Share of these signups, 0 … 1. */
  readonly share: number;
  /** Share of the signups of the week before, 0 … 1. */
  readonly usual: number;
}

/** One look at something unusual: its size and times as of now. Times are milliseconds since the epoch. */
export interface AlertSighting {
  /** Empty: of the installation. */
  readonly accountId: string;
  readonly kind: AlertKind;
  /** Id of the key or hook, of the campaign, of the source or feed; `scheduled` of a backup; `80 2026-11` of a quota; empty: the account as a whole. */
  readonly subject: string;
  readonly since: number;
  readonly at: number;
  /** Signups that are unusual, or credits used; 0 where nothing is counted. */
  readonly count: number;
  /** Signups among which they were counted, or the quota; 0 where nothing is counted. */
  readonly total: number;
  /** Usual number in place of `count`, to the thousandth. */
  readonly usual: number;
  /** `null`: as it was stored. */
  readonly shares: readonly SharedValue[] | null;
  /** Kind of a shared address, one sentence on a source or feed, or the window of bounces and complaints: `day`, `week`. */
  readonly note: string;
}

export interface Alert extends Omit<AlertSighting, 'at' | 'shares'> {
  readonly id: string;
  readonly openedAt: number;
  /** Time when it was last seen to be unusual. */
  readonly seenAt: number;
  readonly closedAt: number | null;
  readonly shares: readonly SharedValue[];
}
