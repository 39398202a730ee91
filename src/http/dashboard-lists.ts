/** GET and POST …/lists, DELETE of an entry: the account's own allow and block lists. */
import { nameUser } from '../accounts/audit-log.ts';
import type { ListEntryRow } from '../contract/dashboard-account.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { Problem } from '../contract/problem.ts';
import { parseInstant } from '../contract/timestamp.ts';
import type { ListEntry } from '../model/list-entry.ts';
import type { ListStore } from '../store/store.ts';
import { instantOrNull, toInstant } from './dashboard-history.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, lineOf, oneOf, TEXT, unusable } from './dashboard-values.ts';

/** Reads a value as it is stored: canonical, an address as its keyed hash, as `saved` has it. @throws Error of one sentence for people */
export type ReadListValue = (
  text: string,
  saved: readonly ListEntry[],
) => Pick<ListEntry, 'kind' | 'value' | 'shown'>;

export interface ListsRoutesOptions {
  readonly store: Pick<ListStore, 'saveListEntry' | 'removeListEntry' | 'listEntries'>;
  readonly readListValue: ReadListValue;
  readonly isCrowdedDomain: IsCrowdedDomain;
  readonly makeId: MakeId;
}

interface EntryBody {
  readonly action: string;
  readonly value: string;
  readonly reason: string;
  readonly expires_at?: string | null;
  /** The value again, to confirm an entry that affects very many people. */
  readonly confirm?: string;
}

const EXPIRY = { type: ['string', 'null'] };
const PROPERTIES = { action: TEXT, value: TEXT, reason: TEXT, expires_at: EXPIRY, confirm: TEXT };

export function listsRoutes(routes: DashboardRoutes, options: ListsRoutesOptions): void {
  const { store, readListValue, isCrowdedDomain, makeId } = options;

  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/lists',
    minRole: 'member',
    async handle({ account }): Promise<ListEntryRow[]> {
      const entries = await store.listEntries(account.id);
      return entries.map(toEntry).reverse();
    },
  });

  routes.forAccount<EntryBody>({
    method: 'POST',
    path: '/accounts/:account/lists',
    minRole: 'owner',
    body: bodyOf(PROPERTIES, ['action', 'value', 'reason']),
    async handle({ account, body, user, now, auditEntry }): Promise<ListEntryRow> {
      const action = oneOf(['allow', 'deny'], 'action', body.action);
      const saved = (await store.listEntries(account.id)).filter((entry) => entry.action === action);
      const value = readListEntry(() => readListValue(body.value, saved));
      const reason = lineOf('reason', body.reason);
      checkConfirmed(value, body.confirm, isCrowdedDomain);
      const entry: ListEntry = {
        id: makeId('lst', now),
        accountId: account.id,
        action,
        ...value,
        reason,
        author: nameUser(user),
        createdAt: now,
        expiresAt: readExpiry(body.expires_at, now),
        hits: 0,
        lastHitAt: null,
      };
      return toEntry(await store.saveListEntry(entry, auditEntry(`list.${action}`, entry.shown, reason)));
    },
  });

  routes.forAccount({
    method: 'DELETE',
    path: '/accounts/:account/lists/:id',
    minRole: 'owner',
    async handle({ account, params, auditEntry }): Promise<void> {
      const entry = (await store.listEntries(account.id)).find(({ id }) => id === params.id);
      if (entry === undefined) {
        throw new Problem('not_found', undefined, {
          message: 'The account’s lists have no entry with this id.',
          resolution: 'Look at the lists: somebody may have removed it.',
        });
      }
      const list = entry.action === 'allow' ? 'Allow list' : 'Block list';
      await store.removeListEntry(entry.id, auditEntry('list.remove', entry.shown, list));
    },
  });
}

/** @throws Problem `invalid_value` where `read` throws an Error of one sentence for people */
export function readListEntry<Entry>(read: () => Entry): Entry {
  try {
    return read();
  } catch (error) {
    throw unusable(
      'value',
      (error as Error).message,
      'Send an address, a domain, an IP address, a CIDR block, an AS number or a country code.',
    );
  }
}

/** @throws Problem `invalid_value` unless it is in the future, or none */
export function readExpiry(text: string | null | undefined, now: number): number | null {
  if (text === null || text === undefined || text === '') return null;
  const at = parseInstant(text);
  if (at !== undefined && at > now) return at;
  throw unusable(
    'expires_at',
    'The expiry is not in the future.',
    'Send an RFC 3339 instant such as 2027-01-31T12:00:00Z, or leave it out.',
  );
}

function toEntry(entry: ListEntry): ListEntryRow {
  return {
    id: entry.id,
    action: entry.action,
    kind: entry.kind,
    value: entry.shown,
    reason: entry.reason ?? '',
    author: entry.author,
    created_at: toInstant(entry.createdAt),
    expires_at: instantOrNull(entry.expiresAt),
    hits: entry.hits,
  };
}

type Value = Pick<ListEntry, 'kind' | 'value' | 'shown'>;

/** An IP range with a shorter prefix contains as many unrelated people as a network. */
const MIN_BITS = { ipv4: 16, ipv6: 32 };

/** Whether unrelated people have addresses at this domain or below it: a suffix, or a mail provider. `value`: canonical. */
export type IsCrowdedDomain = (entry: Pick<Value, 'kind' | 'value'>) => boolean;

/** Whether an entry affects so many people that its value must be sent twice. `value`: canonical. */
export function isWideEntry(entry: Pick<Value, 'kind' | 'value'>, isCrowded: IsCrowdedDomain): boolean {
  const { kind, value } = entry;
  if (kind === 'asn' || kind === 'country') return true;
  if (kind === 'domain') return !value.includes('.') || isCrowded(entry);
  if (kind !== 'cidr') return false;
  const bits = Number(value.slice(value.indexOf('/') + 1));
  return bits < (value.includes(':') ? MIN_BITS.ipv6 : MIN_BITS.ipv4);
}

/** @throws Problem `invalid_value` unless a wide entry is confirmed by its value as lists show it */
export function checkConfirmed(
  entry: Value,
  confirmation: string | undefined,
  isCrowded: IsCrowdedDomain,
): void {
  if (!isWideEntry(entry, isCrowded)) return;
  if (confirmation?.trim().toLowerCase() === entry.shown.toLowerCase()) return;
  throw unusable(
    'confirm',
    `${entry.shown} affects everybody there and is not confirmed.`,
    `Send \`confirm\` with the value again: ${entry.shown}.`,
  );
}
