/** Reads the mistakes that people reported, each with its cause and with who has dealt with it. */
import { findRequests, isRequest, type RequestStore } from '../accounts/customer-requests.ts';
import type { Directory } from '../accounts/directory.ts';
import type { SecretBox } from '../accounts/secret-box.ts';
import type { MistakeRow } from '../contract/dashboard-mistakes.ts';
import type { KeyMode } from '../model/key-mode.ts';
import { openAppeal } from '../signup/appeals.ts';
import { causeOf, type MistakeCause } from '../signup/mistake-cause.ts';
import type { AppealStore } from '../store/appeal-store.ts';
import type { StoredFeedbackPage } from '../store/history-store.ts';
import { instantOrNull, toAssessmentRow, toInstant, toMark } from './dashboard-history.ts';
import { labelFact } from './state-facts.ts';
import { versionOf } from './state-version.ts';

export interface MistakeQueueOptions {
  readonly store: RequestStore & Pick<AppealStore, 'appeals'>;
  /** Decrypts appeals. */
  readonly box: SecretBox;
  readonly directory: Pick<Directory, 'keysOf' | 'thresholdsOf'>;
}

export interface QueueSearch {
  readonly mode: KeyMode;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly now: number;
}

/** A mistake with its cause. */
export interface QueuedMistake {
  readonly row: MistakeRow;
  readonly cause: MistakeCause;
  /** Time of the report. */
  readonly reportedAt: number;
}

export interface ReadMistakes {
  /** Newest first. */
  readonly mistakes: readonly QueuedMistake[];
  /** Set where there are too many: those before this instant were not read. */
  readonly reached: number | null;
}

type Entry = StoredFeedbackPage['entries'][number] & { readonly isAppeal?: boolean };

/** Name beside what the person herself wrote. */
const APPEAL_AUTHOR = 'the person';
/** Max. mistakes that are read and grouped at once. */
const MAX_MISTAKES = 1_000;
/** Max. appeals that are read: each reads a signup. */
const MAX_APPEALS = 200;
/** Min. mistakes at one domain that have the domain in common, and not only their finding. */
const MIN_OF_DOMAIN = 2;

/** Results of challenges are no reports: nobody has to deal with them. */
export async function readMistakes(
  options: MistakeQueueOptions,
  accountId: string,
  search: QueueSearch,
): Promise<ReadMistakes> {
  const { store, directory } = options;
  const { mode, since, now } = search;
  const filter = { mode, since, byPeople: true };
  const { entries: reported, next } = await store.reportedMistakes(accountId, filter, null, MAX_MISTAKES);
  const entries = withAppeals(reported, await readAppeals(options, accountId, search));
  const requests = mode === 'live' ? await findRequests(store, accountId, now) : [];
  const answers = new Map(requests.map(({ report, done }) => [report.row.requestId, done]));
  const own = new Set(
    directory
      .keysOf(accountId)
      .filter(({ thresholds }) => thresholds !== null)
      .map(({ id }) => id),
  );
  const current = directory.thresholdsOf(accountId);
  const found = entries.map((entry) => ({
    entry,
    cause: causeOf(entry.row, entry.mark.outcome, (keyId) => (own.has(keyId) ? null : current)),
  }));
  const causes = withDomains(found);
  return {
    mistakes: found.map(({ entry }, at) => toQueued(entry, causes[at] as MistakeCause, answers)),
    reached: next === null ? null : next.at,
  };
}

/** An appeal as if the person had reported it. */
async function readAppeals(
  { store, box }: MistakeQueueOptions,
  accountId: string,
  search: QueueSearch,
): Promise<Entry[]> {
  const appeals = await store.appeals(accountId, search, MAX_APPEALS);
  const entries = await Promise.all(
    appeals.map(async (appeal): Promise<Entry | undefined> => {
      const whole = await store.findAssessment(accountId, appeal.requestId);
      if (whole === undefined) return undefined;
      const { at, closed } = appeal;
      const { text: note } = openAppeal(box, appeal);
      const mark = { outcome: 'false_positive', note, at, by: APPEAL_AUTHOR, closed } as const;
      return { row: whole.row, mark, isAppeal: true };
    }),
  );
  return entries.filter((entry) => entry !== undefined);
}

/** A signup with an appeal has one place in the queue: the appeal's, unless that is closed and a report is open. */
function withAppeals(reported: readonly Entry[], appeals: readonly Entry[]): Entry[] {
  const open = new Set(
    reported.filter(({ mark }) => mark.closed === undefined).map(({ row }) => row.requestId),
  );
  const shown = appeals.filter(({ row, mark }) => mark.closed === undefined || !open.has(row.requestId));
  const appealed = new Set(shown.map(({ row }) => row.requestId));
  const others = reported.filter(({ row }) => !appealed.has(row.requestId));
  return [...others, ...shown].sort(
    (a, b) => b.mark.at - a.mark.at || (a.row.requestId < b.row.requestId ? 1 : -1),
  );
}

/** Several mistakes of one domain have that in common; a single one has its finding. */
function withDomains(found: readonly { readonly cause: MistakeCause }[]): MistakeCause[] {
  const counts = new Map<string, number>();
  for (const { cause } of found) {
    const id = cause.ofDomain?.id;
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return found.map(({ cause }) => {
    const { ofDomain } = cause;
    return ofDomain !== undefined && (counts.get(ofDomain.id) ?? 0) >= MIN_OF_DOMAIN ? ofDomain : cause;
  });
}

type Answers = ReadonlyMap<string, Awaited<ReturnType<typeof findRequests>>[number]['done']>;

function toQueued(
  { row, mark, isAppeal = false }: Entry,
  cause: MistakeCause,
  answers: Answers,
): QueuedMistake {
  const closing = mark.closed && { ...mark.closed, until: null };
  const closed = isAppeal ? closing : (answers.get(row.requestId) ?? closing);
  return {
    cause,
    reportedAt: mark.at,
    row: {
      ...toAssessmentRow(row),
      kind: isAppeal ? 'appeal' : isRequest(mark) ? 'request' : 'report',
      mark: toMark(mark),
      cause: cause.id,
      closed:
        closed === undefined
          ? null
          : { by: closed.by, at: toInstant(closed.at), until: instantOrNull(closed.until) },
      version: versionOf([labelFact(row.requestId, row.feedback)]),
    },
  };
}
