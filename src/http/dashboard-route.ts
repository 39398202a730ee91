/** What a route of the dashboard's API is: who may call it, what it reads, and what its handler is given. */
import type { Role } from '../contract/dashboard-account.ts';
import type { AuditEntry, StoredUser } from '../store/dashboard-store.ts';
import type { Account } from '../store/store.ts';
import type { RequestContext } from './request-context.ts';

/** A call by anybody. */
export interface OpenCall<Body> {
  readonly context: RequestContext;
  /** Of the path, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Of the query; of a name that it has twice, the last. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: Body;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A call by somebody who is signed in. */
export interface UserCall<Body> extends OpenCall<Body> {
  readonly user: StoredUser;
  readonly sessionId: string;
  /** For the audit log of the account, or the installation's where that is `null`: given to the store with the change. */
  auditEntry(accountId: string | null, action: string, target: string, detail: string): AuditEntry;
  /** Keeps an entry of what changes nothing in the store, before it begins. */
  audit(accountId: string | null, action: string, target: string, detail: string): Promise<void>;
}

/** A call about an account by somebody who may see it. */
export interface AccountCall<Body> extends Omit<UserCall<Body>, 'audit' | 'auditEntry'> {
  readonly account: Account;
  /** An operator is an owner everywhere. */
  readonly role: Role;
  /** For the account's audit log: every route that changes something gives it to the store with the change. */
  auditEntry(action: string, target: string, detail: string): AuditEntry;
  /** Keeps an entry of what changes nothing in the store, before it begins. */
  audit(action: string, target: string, detail: string): Promise<void>;
}

interface Route<Call> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/dashboard/api`, as the router takes it. */
  readonly path: string;
  /** JSON Schema of the body, an object; without one the body is not read. */
  readonly body?: object;
  /**
   * Returns what is answered as JSON (`undefined`: 204), unless it has answered by itself.
   * @throws Problem
   */
  handle(call: Call): unknown;
}

export type OpenRoute<Body = undefined> = Route<OpenCall<Body>>;
export interface UserRoute<Body = undefined> extends Route<UserCall<Body>> {
  readonly operatorOnly?: boolean;
}
/** Its path begins with `/accounts/:account`. */
export interface AccountRoute<Body = undefined> extends Route<AccountCall<Body>> {
  /** Who may call it at least. */
  readonly minRole: Role;
}

/** Takes the routes of the dashboard's API. */
export interface DashboardRoutes {
  forAnybody<Body = undefined>(route: OpenRoute<Body>): void;
  forUser<Body = undefined>(route: UserRoute<Body>): void;
  forAccount<Body = undefined>(route: AccountRoute<Body>): void;
}
