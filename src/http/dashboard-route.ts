/** Describes a route of the dashboard's API: who may call it, its body, and the call that its handler gets. */
import type { Role } from '../contract/dashboard-account.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { StoredUser } from '../store/dashboard-store.ts';
import type { Account } from '../store/store.ts';
import type { RequestContext } from './core/request-context.ts';

/** A call without sign-in. */
export interface OpenCall<Body> {
  readonly context: RequestContext;
  /** Parameters of the path, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Parameters of the query; where a name comes twice, the last value wins. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: Body;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A call by a signed-in user. `Entry`: what the handler says of an entry in the audit log. */
interface SignedInCall<Body, Entry extends readonly unknown[]> extends OpenCall<Body> {
  readonly user: StoredUser;
  readonly sessionId: string;
  /** Makes an entry, to be stored together with the change. */
  auditEntry(...entry: Entry): AuditEntry;
  /** Stores an entry before an action that changes nothing in the store. */
  audit(...entry: Entry): Promise<void>;
}

/** `accountId`: whose audit log it is; `null`: of the installation. */
export type UserCall<Body> = SignedInCall<
  Body,
  [accountId: string | null, action: string, target: string, detail: string]
>;

/** A call about an account by a user who has access to it. */
export interface AccountCall<Body>
  extends SignedInCall<Body, [action: string, target: string, detail: string]> {
  readonly account: Account;
  /** An operator is an owner everywhere. */
  readonly role: Role;
}

interface Route<Call> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Pattern of the router, below `/dashboard/api`. */
  readonly path: string;
  /** JSON Schema of the body, an object; without one the body is not read. */
  readonly body?: object;
  /**
   * Returns the value of the JSON answer (`undefined`: 204), unless it has answered itself.
   * @throws Problem
   */
  handle(call: Call): unknown;
}

export type OpenRoute<Body = undefined> = Route<OpenCall<Body>>;
export type UserRoute<Body = undefined> = Route<UserCall<Body>>;
/** Its path begins with `/accounts/:account`. */
export interface AccountRoute<Body = undefined> extends Route<AccountCall<Body>> {
  /** The lowest role that may call it. */
  readonly minRole: Role;
}

/** Takes the routes of the dashboard's API. */
export interface DashboardRoutes {
  forAnybody<Body = undefined>(route: OpenRoute<Body>): void;
  /** Route that concerns the user alone, or that checks access by itself. */
  forUser<Body = undefined>(route: UserRoute<Body>): void;
  /** Route for everybody who belongs to an account; operators, too. */
  forMember<Body = undefined>(route: UserRoute<Body>): void;
  forOperator<Body = undefined>(route: UserRoute<Body>): void;
  forAccount<Body = undefined>(route: AccountRoute<Body>): void;
}
