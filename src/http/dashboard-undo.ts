/** POST …/undo: takes back what a person did a moment ago, as long as nobody changed it since. */
import { createListAdmin, type ListAdminOptions } from '../accounts/list-admin.ts';
import type { SecretBox } from '../accounts/secret-box.ts';
import { Problem } from '../contract/problem.ts';
import type { ListEntry } from '../model/list-entry.ts';
import { isAtLeast } from '../model/role.ts';
import { type MemberReports, reportMember } from '../signup/report-member.ts';
import type { HistoryStore } from '../store/history-store.ts';
import type { AssessmentStore } from '../store/store.ts';
import type { GivenFeedback } from './dashboard-give-feedback.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, TEXT, unusable } from './dashboard-values.ts';
import { entryFacts } from './state-facts.ts';
import { versionOf } from './state-version.ts';

/** An entry that was saved, and the one that it replaced. */
export interface SavedEntry {
  readonly entry: ListEntry;
  /** `null`: there was none. */
  readonly before: ListEntry | null;
}

/** Changes that were made, and by whom. */
interface Done {
  readonly accountId: string;
  readonly userId: string;
  readonly given: GivenFeedback | null;
  readonly saved: SavedEntry | null;
}

export interface UndoTokens {
  /** A text with which the person can take it back for a minute. It is encrypted, so every node can read it. */
  make(done: Done, now: number): string;
}

export interface UndoRouteOptions {
  readonly store: Pick<HistoryStore, 'findAssessment'> &
    Pick<AssessmentStore, 'saveFeedback' | 'removeFeedback'> &
    MemberReports &
    ListAdminOptions['store'];
  readonly makeId: ListAdminOptions['makeId'];
  readonly box: SecretBox;
}

type Call = AccountCall<{ readonly token: string }>;

/** Time that is longer than a page offers it, for a slow network. */
const LIFETIME_MS = 60_000;
const ownerOf = (accountId: string) => `undo ${accountId}`;

export function createUndoTokens(box: SecretBox): UndoTokens {
  return {
    make: (done, now) =>
      box.encrypt(JSON.stringify({ ...done, until: now + LIFETIME_MS }), ownerOf(done.accountId)),
  };
}

export function undoRoute(routes: DashboardRoutes, options: UndoRouteOptions): void {
  const { store, box } = options;
  const admin = createListAdmin(options);

  routes.forAccount<{ readonly token: string }>({
    method: 'POST',
    path: '/accounts/:account/undo',
    minRole: 'member',
    body: bodyOf({ token: TEXT }),
    async handle(call): Promise<void> {
      const { given, saved } = readToken(box, call);
      // The role may have changed since.
      if (saved !== null && !isAtLeast(call.role, 'analyst')) throw new Problem('forbidden');
      // Both are checked before one is taken back.
      const whole = given === null ? null : await checkFeedback(given, call);
      if (saved !== null) await takeBackEntry(saved, call);
      if (given !== null && whole !== null) await takeBackFeedback(given, whole, call);
    },
  });

  async function checkFeedback({ requestId, mark }: GivenFeedback, { account }: Call) {
    const whole = await store.findAssessment(account.id, requestId);
    if (whole === undefined || whole.feedback?.at !== mark.at || whole.feedback.outcome !== mark.outcome)
      throw changedSince();
    return whole;
  }

  async function takeBackFeedback(
    { requestId, before }: GivenFeedback,
    { stored }: Awaited<ReturnType<typeof checkFeedback>>,
    { now, auditEntry }: Call,
  ): Promise<void> {
    const entry = auditEntry('feedback.undo', requestId, before?.outcome ?? '');
    await reportMember(store, stored, { outcome: before?.outcome ?? null, at: now });
    if (before === null) return store.removeFeedback(requestId, entry);
    const { outcome, note, at, by } = before;
    await store.saveFeedback({ requestId, outcome, note, keyId: by, at }, entry);
  }

  async function takeBackEntry({ entry, before }: SavedEntry, { auditEntry }: Call): Promise<void> {
    const check = (entries: readonly ListEntry[]) => {
      const current = entries.filter(({ id }) => id === entry.id);
      if (versionOf(entryFacts(current, entry.shown)) !== versionOf(entryFacts([entry], entry.shown)))
        throw changedSince();
    };
    if (before === null) await admin.remove(entry, auditEntry, check);
    else await admin.restore(before, auditEntry, check);
  }
}

/** @throws Problem for a token that is over, or of somebody else */
function readToken(box: SecretBox, { account, body, user, now }: Call): Done {
  let done: Done & { readonly until: number };
  try {
    done = JSON.parse(box.decrypt(body.token, ownerOf(account.id)));
  } catch {
    throw unusable('token', 'This cannot be taken back.', 'Send the token of the change.');
  }
  if (done.userId !== user.id || now > done.until) throw changedSince();
  return done;
}

function changedSince(): Problem {
  return new Problem('conflict', undefined, {
    message: 'This has been changed meanwhile, or too much time has passed.',
    resolution: 'Look at the signup and the lists, and change them there.',
  });
}
