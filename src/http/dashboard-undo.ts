/** POST …/undo: takes back what a person did a moment ago, as long as nobody changed it since. Routes of attacks take back what anybody did about one. */
import { createListAdmin, type ListAdminOptions } from '../accounts/list-admin.ts';
import type { SecretBox } from '../accounts/secret-box.ts';
import type { BatchUndone } from '../contract/dashboard-batches.ts';
import { Problem } from '../contract/problem.ts';
import type { ListEntry } from '../model/list-entry.ts';
import { isAtLeast } from '../model/role.ts';
import { type MemberReports, reportMember } from '../signup/report-member.ts';
import type { AppealStore } from '../store/appeal-store.ts';
import type { ClosedReports, MadeDecision, UndoSteps } from '../store/attack-action-store.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { HistoryStore, StoredFeedback, WholeAssessment } from '../store/history-store.ts';
import type { MistakeStore } from '../store/mistake-store.ts';
import type { AssessmentStore } from '../store/store.ts';
import type { ReportChange } from './dashboard-give-feedback.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, TEXT, unusable } from './dashboard-values.ts';
import { signupsInWords } from './report-many.ts';
import { entryFacts } from './state-facts.ts';
import { versionOf } from './state-version.ts';

/** An entry that was saved, and the one that it replaced. */
export interface SavedEntry {
  readonly entry: ListEntry;
  /** `null`: there was none. */
  readonly before: ListEntry | null;
}

/** Changes that a person made, as they are taken back. */
export interface MadeChanges {
  readonly accountId: string;
  readonly reports: readonly ReportChange[];
  readonly saved: readonly SavedEntry[];
  readonly decided?: readonly MadeDecision[];
  readonly closed?: ClosedReports;
}

/** Changes with the person who made them. */
interface Done extends MadeChanges {
  readonly userId: string;
  /** Whether unchanged parts are taken back also where other parts were changed since. Default: all of it or nothing. */
  readonly isBatch?: boolean;
}

export interface UndoTokens {
  /** A text with which the person can take it back: for a minute, or a quarter of an hour if it is a batch of many. It is encrypted, so every node can read it. */
  make(done: Done, now: number): string;
}

export interface UndoRouteOptions {
  readonly store: Pick<HistoryStore, 'findAssessment'> &
    Pick<AssessmentStore, 'saveFeedback' | 'removeFeedback'> &
    MemberReports &
    Pick<CampaignStore, 'restoreDecision'> &
    Pick<MistakeStore, 'reopenReports'> &
    Pick<AppealStore, 'reopenAppeals'> &
    ListAdminOptions['store'];
  readonly makeId: ListAdminOptions['makeId'];
  readonly box: SecretBox;
}

type Call = AccountCall<{ readonly token: string }>;
type Caller = Pick<AccountCall<unknown>, 'account' | 'auditEntry' | 'now'>;

/** Content of a token: no more than is needed, because it is sent back in a request. */
interface Token extends Pick<Done, 'userId'>, UndoSteps {
  readonly isBatch: boolean;
  readonly until: number;
}

/** Time that is longer than a page offers it, for a slow network. */
const LIFETIME_MS = 60_000;
/** Time that is longer than the batches after this one take. */
const BATCH_LIFETIME_MS = 15 * 60_000;
const ownerOf = (accountId: string) => `undo ${accountId}`;

export function createUndoTokens(box: SecretBox): UndoTokens {
  return {
    make({ userId, isBatch = false, ...changes }, now) {
      const token: Token = {
        userId,
        isBatch,
        until: now + (isBatch ? BATCH_LIFETIME_MS : LIFETIME_MS),
        ...toUndoSteps(changes),
      };
      return box.encrypt(JSON.stringify(token), ownerOf(changes.accountId));
    },
  };
}

/** Steps by which an analyst can take back the unchanged parts. */
export function toUndoSteps({
  reports,
  saved,
  decided = [],
  closed,
}: Omit<MadeChanges, 'accountId'>): UndoSteps {
  return {
    closed,
    reports: reports.map(({ requestId, mark: { at, outcome }, before }) => ({
      id: requestId,
      mark: { at, outcome },
      before,
    })),
    entries: saved.map(({ entry, before }) => ({ id: entry.id, version: entryVersion(entry), before })),
    decisions: decided,
  };
}

export function undoRoute(routes: DashboardRoutes, options: UndoRouteOptions): void {
  const { store, box } = options;
  const takeBack = createTakeBack(options);

  routes.forAccount<{ readonly token: string }>({
    method: 'POST',
    path: '/accounts/:account/undo',
    minRole: 'member',
    body: bodyOf({ token: TEXT }),
    async handle(call): Promise<BatchUndone | undefined> {
      const { isBatch, ...changes } = readToken(box, call);
      // The role may have changed since.
      const isAnalysts = changes.entries.length > 0 || changes.closed !== undefined;
      if (isAnalysts && !isAtLeast(call.role, 'analyst')) throw new Problem('forbidden');
      // Reports are checked before anything is taken back, and entries together with their change.
      const unchanged = await findReports(store, changes.reports, call);
      if (unchanged.length < changes.reports.length && !isBatch) throw changedSince();
      const undone = await takeBack(changes, call, isBatch);
      if (isBatch && undone.taken_back === 0) throw changedSince();
      return isBatch ? undone : undefined;
    },
  });
}

/** Takes changes back. @throws Problem `conflict` for the first that was changed since, unless it may be `lenient` */
type TakeBack = (changes: UndoSteps, call: Caller, lenient: boolean) => Promise<BatchUndone>;

/** Takes stored changes back, as far as nobody changed them since. */
export function createTakeBackStored(
  options: UndoRouteOptions,
): (steps: UndoSteps, call: Caller) => Promise<BatchUndone> {
  const takeBack = createTakeBack(options);
  return (steps, call) => takeBack(steps, call, true);
}

function createTakeBack({ store, makeId }: UndoRouteOptions): TakeBack {
  const admin = createListAdmin({ store, makeId });

  /** One line in the audit log says it of all. */
  async function takeBackReports(
    reports: Awaited<ReturnType<typeof findReports>>,
    { now, auditEntry }: Caller,
  ): Promise<void> {
    const [first] = reports;
    if (first === undefined) return;
    const target = reports.length === 1 ? first.whole.row.requestId : signupsInWords(reports.length);
    let entries: AuditEntry[] = [auditEntry('feedback.undo', target, first.before?.outcome ?? '')];
    for (const { whole, before } of reports) {
      const { requestId } = whole.row;
      await reportMember(store, whole.stored, { outcome: before?.outcome ?? null, at: now });
      if (before === null) await store.removeFeedback(requestId, ...entries);
      else {
        const { outcome, note, at, by } = before;
        await store.saveFeedback({ requestId, outcome, note, keyId: by, at }, ...entries);
      }
      entries = [];
    }
  }

  async function takeBackEntry(
    { id, version, before }: UndoSteps['entries'][number],
    { account, auditEntry }: Caller,
  ): Promise<void> {
    const check = (entries: readonly ListEntry[]) => {
      const current = entries.find((entry) => entry.id === id);
      if (current === undefined || entryVersion(current) !== version) throw changedSince();
    };
    const current = await admin.find(account.id, id);
    if (current === undefined) throw changedSince();
    if (before === null) await admin.remove(current, auditEntry, check);
    else await admin.restore(before, auditEntry, check);
  }

  return async ({ reports, entries, decisions, closed }, call, lenient) => {
    const unchanged = await findReports(store, reports, call);
    let changed = reports.length - unchanged.length;
    for (const entry of entries)
      await takeBackEntry(entry, call).catch((error) => {
        if (!lenient || !isChangedSince(error)) throw error;
        changed += 1;
      });
    for (const { before, decidedAt } of decisions) {
      const audited = call.auditEntry('campaign.restore', before.id, '');
      if ((await store.restoreDecision(before, decidedAt, audited)) === undefined) changed += 1;
    }
    await takeBackReports(unchanged, call);
    const reopened = await reopen(store, closed, call);
    const total = reports.length + entries.length + decisions.length;
    // Reports that were closed with something else are opened with it.
    if (total > 0 || closed === undefined) return { taken_back: total - changed, changed };
    return { taken_back: reopened, changed: closed.reports.length - reopened };
  };
}

/** Opens mistakes again. @returns how many */
async function reopen(
  store: Pick<UndoRouteOptions['store'], 'reopenAppeals' | 'reopenReports'>,
  closed: ClosedReports | undefined,
  { account, auditEntry }: Caller,
): Promise<number> {
  if (closed === undefined) return 0;
  const [first, second] = closed.reports;
  const target = second === undefined ? (first?.requestId ?? '') : signupsInWords(closed.reports.length);
  const audited = auditEntry('feedback.reopen', target, '');
  const ids = closed.reports.map(({ requestId }) => requestId);
  const appeals = await store.reopenAppeals(account.id, ids, closed.at, audited);
  const otherEntries = appeals.length > 0 ? [] : [audited];
  const reports = await store.reopenReports(account.id, closed.reports, closed.at, ...otherEntries);
  // One signup may have both.
  return new Set([...appeals, ...reports]).size;
}

/** Finds the reports that are as they were made. */
async function findReports(
  store: UndoRouteOptions['store'],
  reports: UndoSteps['reports'],
  { account }: Pick<Caller, 'account'>,
) {
  const found: { whole: WholeAssessment; before: StoredFeedback | null }[] = [];
  for (const { id, mark, before } of reports) {
    const whole = await store.findAssessment(account.id, id);
    const feedback = whole?.feedback;
    if (whole !== undefined && feedback?.at === mark.at && feedback.outcome === mark.outcome)
      found.push({ whole, before });
  }
  return found;
}

export function entryVersion(entry: ListEntry): string {
  return versionOf(entryFacts([entry], entry.shown));
}

/** @throws Problem for a token that is over, or of somebody else */
function readToken(box: SecretBox, { account, body, user, now }: Call): Token {
  let token: Token;
  try {
    token = JSON.parse(box.decrypt(body.token, ownerOf(account.id)));
  } catch {
    throw unusable('token', 'This cannot be taken back.', 'Send the token of the change.');
  }
  if (token.userId !== user.id || now > token.until) throw changedSince();
  return token;
}

function changedSince(): Problem {
  return new Problem('conflict', undefined, {
    message: 'This was changed since, or was too long ago.',
    resolution: 'Look at the signup and the lists, and change them there.',
  });
}

function isChangedSince(error: unknown): boolean {
  return error instanceof Problem && error.code === 'conflict';
}
