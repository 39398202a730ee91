/** Runs the recall of one account: judges again who was let in, the newest first, in slices between which signups go first. */
import { CHALLENGE_AUTHOR } from '../../store/challenge-store.ts';
import type { HistoryStore, ReplayableAssessment } from '../../store/history-store.ts';
import type { HeldRecall, RecalledSignup, RecallRun, RecallStore } from '../../store/recall-store.ts';
import type { AssessmentStore } from '../../store/store.ts';
import { reportedAs } from '../label-effect.ts';
import { type JudgeAgain, wasLetIn } from './judge-again.ts';
import { createPace } from './pace.ts';
import { describeRecall } from './recall-words.ts';

export interface RecallRunOptions {
  readonly store: Pick<HistoryStore, 'replayableAssessments' | 'findAssessment'> &
    Pick<AssessmentStore, 'findStored'> &
    Pick<RecallStore, 'saveRecalled' | 'endRecall' | 'recallCounts' | 'forgetRecalled'>;
  readonly judgeAgain: JudgeAgain;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly signal: AbortSignal;
}

export type RecallOutcome = 'ended' | 'stopped' | 'lost';

/** Time for which nobody else goes on with a run that said nothing. */
export const LEASE_MS = 60_000;
/** Signups that one run judges at most, the newest. */
const MAX_JUDGED = 1_000_000;
/** Signups that it keeps at most: as many as a filter of the list can name. */
export const MAX_RECALLED = 5_000;
const MAX_TOLD_CAUSES = 5;

/** @param holder has the lease of the run */
export async function runRecall(
  run: RecallRun,
  holder: string,
  options: RecallRunOptions,
): Promise<RecallOutcome> {
  const { store, clock, signal } = options;
  const held = { accountId: run.accountId, id: run.id, holder };
  const pace = createPace(signal);
  let { judged, reachedAt, isPartial } = run;
  let kept = judged === 0 ? 0 : countOf(await store.recallCounts(run.accountId));
  const search = { mode: 'live', since: run.since, to: run.reachedAt } as const;
  for await (const chunk of store.replayableAssessments(run.accountId, search, MAX_JUDGED - judged + 1)) {
    const found: RecalledSignup[] = [];
    for (const assessment of chunk) {
      if (signal.aborted) return 'stopped';
      await pace();
      const recalled = await judgeOne(assessment, options);
      judged += 1;
      if (recalled === null) continue;
      if (kept < MAX_RECALLED) found.push(recalled);
      else isPartial = true;
      kept += 1;
    }
    if (judged > MAX_JUDGED) isPartial = true;
    // Several may have been made in this millisecond: a run that goes on reads them again.
    reachedAt = (chunk.at(-1) as ReplayableAssessment).row.at + 1;
    const progress = { reachedAt, judged, isPartial, leaseUntil: clock() + LEASE_MS };
    if (!(await store.saveRecalled(held, found, progress, clock()))) return 'lost';
    await forgetErased(found, held, store);
  }
  if (signal.aborted) return 'stopped';
  const isOurs = await store.endRecall(held, clock(), await newsOf(run, store));
  return isOurs ? 'ended' : 'lost';
}

async function judgeOne(
  { row, stored }: ReplayableAssessment,
  { store, judgeAgain, clock }: RecallRunOptions,
): Promise<RecalledSignup | null> {
  // A challenge that nobody reported was not passed.
  if (!wasLetIn(row) && row.feedback === null) return null;
  const recalled = await judgeAgain(stored, clock());
  if (recalled === null) return null;
  if (wasLetIn(row)) return reportedAs(row.feedback) === 'good' ? null : recalled;
  const whole = await store.findAssessment(stored.accountId, row.requestId);
  if (whole?.challenge?.status !== 'passed') return null;
  // A challenge that was passed is a report, too. A person's report counts more.
  const isPersons = whole.feedback?.by !== CHALLENGE_AUTHOR;
  return isPersons && reportedAs(whole.feedback?.outcome ?? null) === 'good' ? null : recalled;
}

/** Somebody who was erased after the signups were read must not be listed again. */
async function forgetErased(
  found: readonly RecalledSignup[],
  { accountId }: HeldRecall,
  store: RecallRunOptions['store'],
): Promise<void> {
  const all = found.map(async ({ requestId }) => {
    const stored = await store.findStored(requestId, { accountId, mode: 'live' });
    return stored === undefined ? [requestId] : [];
  });
  const gone = (await Promise.all(all)).flat();
  await store.forgetRecalled(accountId, gone);
}

/** Data of the event; `undefined` where this run found nobody new. */
async function newsOf(
  { accountId }: RecallRun,
  store: Pick<RecallStore, 'recallCounts'>,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const counts = (await store.recallCounts(accountId)).filter(({ fresh }) => fresh > 0);
  if (counts.length === 0) return undefined;
  const fresh = counts.map((count) => ({ ...count, count: count.fresh }));
  return {
    found: countOf(fresh),
    causes: fresh
      .slice(0, MAX_TOLD_CAUSES)
      .map(({ cause, causeId: id, newVerdict: verdict, count }) => ({ cause, id, verdict, count })),
    text: describeRecall(fresh),
  };
}

function countOf(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}
