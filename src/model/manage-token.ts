/** The permissions of a token of the management API. */

/** `write` includes `read` of the same resource. The audit log can only be read. */
export const MANAGE_SCOPES = [
  'accounts:read',
  'accounts:write',
  'keys:read',
  'keys:write',
  'lists:read',
  'lists:write',
  'alerts:read',
  'campaigns:read',
  'campaigns:write',
  'hooks:read',
  'hooks:write',
  'destinations:read',
  'destinations:write',
  'takebacks:read',
  'takebacks:write',
  'audit:read',
] as const;

export type ManageScope = (typeof MANAGE_SCOPES)[number];

/** Times are milliseconds since the epoch; `null` means absent. */
export interface ManageToken {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the token, hex. */
  readonly hash: string;
  /** First 20 characters of the token, for display. */
  readonly prefix: string;
  readonly scopes: readonly ManageScope[];
  /** The only account that it may see and change; `null`: all. */
  readonly accountId: string | null;
  /** Email of the operator, or `command line (alice@host)`. */
  readonly createdBy: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}
