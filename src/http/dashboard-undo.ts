/** POST …/undo: takes back what a person did a moment ago, as long as nobody changed it since. */
import type { SecretBox } from '../accounts/secret-box.ts';
import { Problem } from '../contract/problem.ts';
import type { ListEntry } from '../model/list-entry.ts';
import { type MemberReports, reportMember } from '../signup/report-member.ts';
import type { HistoryStore } from '../store/history-store.ts';
import type { AssessmentStore, ListStore } from '../store/store.ts';
import type { GivenFeedback } from './dashboard-give-feedback.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, TEXT, unusable } from './dashboard-values.ts';

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
    Pick<ListStore, 'listEntries' | 'saveListEntry' | 'removeListEntry'>;
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

export function undoRoute(routes: DashboardRoutes, { store, box }: UndoRouteOptions): void {
  routes.forAccount<{ readonly token: string }>({
    method: 'POST',
    path: '/accounts/:account/undo',
    minRole: 'member',
    body: bodyOf({ token: TEXT }),
    async handle(call): Promise<void> {
      const { given, saved } = readToken(box, call);
      // Both are checked before one is taken back.
      const whole = given === null ? null : await checkFeedback(given, call);
      const current = saved === null ? null : await checkEntry(saved, call);
      if (given !== null && whole !== null) await takeBackFeedback(given, whole, call);
      if (saved !== null && current !== null) await takeBackEntry(saved, call);
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

  async function checkEntry({ entry }: SavedEntry, { account }: Call) {
    const current = (await store.listEntries(account.id)).find(({ id }) => id === entry.id);
    if (current?.expiresAt !== entry.expiresAt || current.author !== entry.author) throw changedSince();
    return current;
  }

  async function takeBackEntry({ entry, before }: SavedEntry, { auditEntry }: Call): Promise<void> {
    const subject = { subject: entry.value };
    if (before === null)
      await store.removeListEntry(entry.id, {
        ...auditEntry('list.remove', entry.shown, 'Allow list'),
        ...subject,
      });
    else
      await store.saveListEntry(before, {
        ...auditEntry('list.allow', before.shown, before.reason ?? ''),
        ...subject,
      });
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
