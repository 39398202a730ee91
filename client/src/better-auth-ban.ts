/** Decides what holds a user of better-auth: the ban of its plugin `admin`, or a mark of ours that refuses new sessions. */

/** The used part of better-auth's own context. */
export interface AuthContext {
  readonly options: { readonly plugins?: readonly { readonly id?: unknown }[] | undefined };
  readonly internalAdapter: InternalAdapter;
  readonly logger?: { error?(message: string, ...details: unknown[]): void } | undefined;
}

/** The used part of better-auth's access to users, sessions and verifications. */
export interface InternalAdapter {
  findUserById(userId: string): Promise<object | null | undefined>;
  updateUser(userId: string, data: Record<string, unknown>): Promise<unknown>;
  deleteUserSessions?(userId: string): Promise<unknown>;
  findVerificationValue(identifier: string): Promise<Verification | null | undefined>;
  createVerificationValue(data: { identifier: string; value: string; expiresAt: Date }): Promise<unknown>;
  deleteVerificationByIdentifier(identifier: string): Promise<unknown>;
}

/** A row of better-auth's table of verifications. */
export interface Verification {
  readonly value: string;
  readonly expiresAt: Date | string;
}

/** State of a user. */
export interface HoldState {
  readonly isHeld: boolean;
  /** Id of our hold; `null` where somebody else holds the user, or nobody. */
  readonly holdId: string | null;
  /** Members that make the user again what it was. */
  readonly before: Readonly<Record<string, string | boolean | null>>;
}

/** A way to hold users. */
export interface Ban {
  readonly kind: 'admin' | 'gatehouse';
  read(userId: string, user: object): Promise<HoldState>;
  hold(userId: string, holdId: string): Promise<void>;
  release(userId: string, before: Readonly<Record<string, unknown>>): Promise<void>;
}

const REASON = /^Held by Gatehouse \((.+)\)$/;
const YEAR_MS = 31_556_952_000;
const MARK_YEARS = 10;
/** Last day of the times of MySQL. */
const MAX_TIME = Date.UTC(2038, 0, 18);

export function banOf(auth: AuthContext): Ban {
  return hasAdminPlugin(auth) ? adminBan(auth) : ownBan(auth);
}

export function hasAdminPlugin({ options }: AuthContext): boolean {
  return options.plugins?.some(({ id }) => id === 'admin') === true;
}

/** Whether our mark holds the user. */
export async function isMarked(adapter: InternalAdapter, userId: string): Promise<boolean> {
  return (await markOf(adapter, userId)) !== null;
}

/** `admin` refuses sessions of banned users and shows the reason; it lifts a ban whose time has passed at the next sign-in. */
function adminBan({ internalAdapter }: AuthContext): Ban {
  return {
    kind: 'admin',
    async read(_userId, user) {
      const { banned, banReason, banExpires } = user as Readonly<Record<string, unknown>>;
      const expires = banExpires ? new Date(banExpires as string | Date) : null;
      const isHeld = Boolean(banned) && (expires === null || expires.getTime() > Date.now());
      const reason = typeof banReason === 'string' ? banReason : null;
      return {
        isHeld,
        holdId: (isHeld && REASON.exec(reason ?? '')?.[1]) || null,
        before: {
          banned: Boolean(banned),
          ban_reason: reason,
          ban_expires: expires?.toISOString() ?? null,
        },
      };
    },
    async hold(userId, holdId) {
      await internalAdapter.updateUser(userId, {
        banned: true,
        banReason: `Held by Gatehouse (${holdId})`,
        banExpires: null,
        updatedAt: new Date(),
      });
    },
    async release(userId, { banned, ban_reason: reason, ban_expires: expires }) {
      await internalAdapter.updateUser(userId, {
        banned: banned === true,
        banReason: typeof reason === 'string' ? reason : null,
        banExpires: typeof expires === 'string' ? new Date(expires) : null,
        updatedAt: new Date(),
      });
    },
  };
}

/** Mark in a row of verifications: without `admin`, a user has no place for it, and this table is everywhere. */
function ownBan({ internalAdapter }: AuthContext): Ban {
  return {
    kind: 'gatehouse',
    async read(userId) {
      const holdId = await markOf(internalAdapter, userId);
      return { isHeld: holdId !== null, holdId, before: {} };
    },
    async hold(userId, holdId) {
      const expiresAt = new Date(Math.min(Date.now() + MARK_YEARS * YEAR_MS, MAX_TIME));
      await internalAdapter.createVerificationValue({
        identifier: identifierOf(userId),
        value: holdId,
        expiresAt,
      });
    },
    async release(userId) {
      await internalAdapter.deleteVerificationByIdentifier(identifierOf(userId));
    },
  };
}

async function markOf(adapter: InternalAdapter, userId: string): Promise<string | null> {
  const mark = await adapter.findVerificationValue(identifierOf(userId));
  return mark && new Date(mark.expiresAt).getTime() > Date.now() ? mark.value : null;
}

function identifierOf(userId: string): string {
  return `gatehouse-hold:${userId}`;
}
