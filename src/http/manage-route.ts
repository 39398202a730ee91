/** Describes a route of the management API: what its handler gets, what of its body changes something, and how pages of a list are made. */
import { isDeepStrictEqual } from 'node:util';
import type { ManageToken } from '../model/manage-token.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { Account } from '../store/store.ts';
import { readLimit } from './dashboard-values.ts';

/** A call with a token that has the scope of the operation. */
export interface ManageCall<Body> {
  readonly token: ManageToken;
  /** Parameters of the path, by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Body;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A call about an account that the token may see. */
export interface ManageAccountCall<Body> extends ManageCall<Body> {
  readonly account: Account;
  /** Makes an entry of the account's audit log, to be stored together with the change. */
  auditEntry(action: string, target: string, detail: string): AuditEntry;
}

/** Takes the operations of the management API, by their ids. A handler returns the value of the JSON answer. @throws Problem */
export interface ManageRoutes {
  /** Adds a route for the whole installation; a token that is bound to an account is the handler's to refuse. */
  forAll<Body = undefined>(id: string, handle: (call: ManageCall<Body>) => unknown): void;
  forAccount<Body = undefined>(id: string, handle: (call: ManageAccountCall<Body>) => unknown): void;
}

/** An audit entry of a change that was made with a token. */
export function tokenEntry({ id, name }: ManageToken, entry: Omit<AuditEntry, 'by'>): AuditEntry {
  return { ...entry, by: `token ${id} (${name})` };
}

/** The members of `changes` that are present and differ from `before`: others change nothing and have no audit entry. */
export function changed<Thing extends object, Changes extends { [name in keyof Thing]?: unknown }>(
  before: Thing,
  changes: Changes,
): Changes {
  const entries = Object.entries(changes).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, before[name as keyof Thing]),
  );
  return Object.fromEntries(entries) as Changes;
}

/** A page of rows that are in order of their ids. @throws Problem `invalid_value` */
export function toPage<Row extends { readonly id: string }>(
  rows: readonly Row[],
  { after = '', limit }: Readonly<Record<string, string | undefined>>,
  show: (row: Row) => unknown,
) {
  const size = readLimit(limit);
  const rest = rows.filter(({ id }) => id > after);
  const page = rest.slice(0, size);
  return { data: page.map(show), next: rest.length > size ? (page.at(-1) as Row).id : null };
}
