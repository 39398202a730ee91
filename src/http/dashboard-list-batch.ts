/** POST …/lists/batch: adds up to 25 values of chosen signups to a list. Each is an entry of its own; a refused value does not hinder the others. */
import { nameUser } from '../accounts/audit-log.ts';
import { createListAdmin, type ReadEntry } from '../accounts/list-admin.ts';
import { type BatchListed, MAX_LIST_BATCH } from '../contract/dashboard-batches.ts';
import { Problem } from '../contract/problem.ts';
import type { DecidingAction, ListEntry } from '../model/list-entry.ts';
import type { MakeAuditEntry } from '../store/audit-store.ts';
import { type ListsRoutesOptions, toEntry } from './dashboard-lists.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import type { SavedEntry, UndoTokens } from './dashboard-undo.ts';
import { bodyOf, lineOf, oneOf, SHORT_TEXT, TEXT, unusable } from './dashboard-values.ts';
import { readSentEntry } from './list-values.ts';
import { ARRIVAL_MS } from './report-many.ts';
import { entriesOf, entryFacts } from './state-facts.ts';
import { requireVersion } from './state-version.ts';

export interface ListBatchOptions extends ListsRoutesOptions {
  readonly undo: UndoTokens;
}

interface SentValue {
  readonly value: string;
  /** Version of the preview that the person saw; absent: whatever there is. */
  readonly version?: string;
}

interface BatchBody {
  readonly action: string;
  readonly values: readonly SentValue[];
  readonly reason: string;
  readonly expires_at?: string | null;
  /** Milliseconds since the same values were sent before, and no answer came. */
  readonly tried_ms_ago?: number;
}

const VALUES = { type: 'array', items: bodyOf({ value: SHORT_TEXT, version: TEXT }, ['value']) };
const PROPERTIES = {
  action: TEXT,
  values: VALUES,
  reason: TEXT,
  expires_at: { type: ['string', 'null'] },
  tried_ms_ago: { type: 'number' },
};

/** Settings that the entries of a batch share. */
export interface SharedSettings {
  readonly action: DecidingAction;
  readonly reason: string;
  /** RFC 3339; nothing: never. */
  readonly expires_at?: string | null | undefined;
}

/** Adds one value. @throws Problem if it cannot be added */
export type AddValue = (
  call: Pick<AccountCall<unknown>, 'account' | 'user' | 'now' | 'auditEntry'>,
  value: SentValue,
  settings: SharedSettings,
  /** Makes the entry of the audit log that is written with this one. Default: that of the call. */
  auditOf?: (saved: SavedEntry) => MakeAuditEntry,
) => Promise<SavedEntry>;

export function createAddValue(options: ListsRoutesOptions): AddValue {
  const { store } = options;
  const admin = createListAdmin(options);
  return async (
    { account, user, now, auditEntry },
    { value, version },
    { action, reason, expires_at },
    auditOf,
  ): Promise<SavedEntry> => {
    const sent = { action, value, expires_at };
    const read = (saved: readonly ListEntry[]) => readSentEntry(sent, saved, now, options);
    const check = (entry: ReadEntry, saved: readonly ListEntry[]) =>
      requireVersion(version, entryFacts(entriesOf(entry, saved, now), entry.shown), {
        store,
        accountId: account.id,
      });
    const entry = {
      accountId: account.id,
      action,
      reason: lineOf('reason', reason),
      author: nameUser(user),
      read,
      ...(auditOf !== undefined && {
        auditOf: (entry: ListEntry, before: ListEntry | null) => auditOf({ entry, before }),
      }),
    };
    const { replaced, ...saved } = await admin.save(
      entry,
      now,
      auditEntry,
      version === undefined ? undefined : check,
    );
    return { entry: saved, before: replaced };
  };
}

export function listBatchRoute(routes: DashboardRoutes, options: ListBatchOptions): void {
  const { undo } = options;
  const add = createAddValue(options);

  routes.forAccount<BatchBody>({
    method: 'POST',
    path: '/accounts/:account/lists/batch',
    minRole: 'analyst',
    body: bodyOf(PROPERTIES, ['action', 'values', 'reason']),
    async handle(call): Promise<BatchListed> {
      const { account, body, user, now } = call;
      const action = oneOf(['allow', 'deny'], 'action', body.action);
      lineOf('reason', body.reason);
      if (body.values.length < 1 || body.values.length > MAX_LIST_BATCH)
        throw unusable(
          'values',
          `\`values\` has ${body.values.length} values.`,
          `Send 1 to ${MAX_LIST_BATCH} values.`,
        );
      const settings = { action, reason: body.reason, expires_at: body.expires_at };
      const findTried = await earlierTry(options, call, settings, body.tried_ms_ago);
      const saved: SavedEntry[] = [];
      const settled: ListEntry[] = [];
      const refused: BatchListed['refused'][number][] = [];
      for (const sent of body.values)
        try {
          const tried = findTried(sent);
          if (tried === undefined) saved.push(await add(call, sent, settings));
          else if (tried.isNew) saved.push({ entry: tried.entry, before: null });
          else settled.push(tried.entry);
        } catch (error) {
          if (!(error instanceof Problem) || error.param === 'expires_at') throw error;
          refused.push({ value: sent.value, message: error.message });
        }
      const done = { accountId: account.id, userId: user.id, reports: [], saved, isBatch: true };
      return {
        entries: [...saved.map(({ entry }) => entry), ...settled].map(toEntry),
        refused,
        undo: saved.length === 0 ? null : undo.make(done, now),
      };
    },
  });
}

/** Entry that an earlier try has stored. It is taken back only if it is new: what it replaced is no longer known. */
interface Tried {
  readonly entry: ListEntry;
  readonly isNew: boolean;
}

/** Finds what an earlier try of the same batch has stored, of which no answer came. */
async function earlierTry(
  options: ListsRoutesOptions,
  { account, user, now }: Pick<AccountCall<unknown>, 'account' | 'user' | 'now'>,
  { action, reason, expires_at }: SharedSettings,
  triedMsAgo: number | undefined,
): Promise<(sent: SentValue) => Tried | undefined> {
  if (triedMsAgo === undefined) return () => undefined;
  const since = now - triedMsAgo - ARRIVAL_MS;
  const theirs = (await options.store.listEntries(account.id)).filter(
    (entry) =>
      entry.action === action && entry.author === nameUser(user) && entry.reason === lineOf('reason', reason),
  );
  return ({ value }) => {
    const { kind, value: read } = readSentEntry({ action, value, expires_at }, theirs, now, options);
    const entry = theirs.find((one) => one.kind === kind && one.value === read);
    return entry && { entry, isNew: entry.createdAt >= since };
  };
}
