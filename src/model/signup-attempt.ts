/** A signup attempt as it is judged: the address and the IP in canonical form. */

/** Trimmed, lower-cased, its domain in ASCII (punycode) form. */
export interface EmailAddress {
  readonly address: string;
  readonly local: string;
  readonly domain: string;
}

/** An address in canonical text and in numbers: one unsigned 32-bit word for IPv4, four (high first) for IPv6. */
export interface IpAddress {
  readonly version: 4 | 6;
  /** Dotted quad, or RFC 5952 for IPv6. */
  readonly text: string;
  readonly words: readonly number[];
}

export const IP_STATUSES = [
  'ok',
  'missing',
  'ignored_loopback',
  'ignored_private',
  'ignored_localhost',
] as const;
export type IpStatus = (typeof IP_STATUSES)[number];

export const BROUGHT_BY = ['admin', 'member', 'directory'] as const;
/** Party that brings a person: an administrator, a member by an invitation, or a directory that is synchronised (SCIM). */
export type BroughtBy = (typeof BROUGHT_BY)[number];

export interface SignupAttempt {
  readonly email: EmailAddress;
  readonly ipStatus: IpStatus;
  /** `null` unless `ipStatus` is `ok`. */
  readonly ip: IpAddress | null;
  readonly sessionId: string | null;
  /** `null` for a person who comes alone. */
  readonly broughtBy: BroughtBy | null;
}
