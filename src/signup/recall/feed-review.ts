/** Decides which new versions of feeds change too many verdicts: the signups of the last days are judged under the active snapshot and under the next one. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Directory } from '../../accounts/directory.ts';
import type { Evidence, Hit } from '../../model/evidence.ts';
import type { FeedFlip, FeedFlips, FlipLimit } from '../../model/feed-status.ts';
import type { FeedFlipStore } from '../../store/feed-flip-store.ts';
import type { HistoryStore, ReplayableAssessment } from '../../store/history-store.ts';
import type { AssessmentStore } from '../../store/store.ts';
import { reportedAs, severityChange } from '../label-effect.ts';
import { createFlipTally, type FlipTally, type TooManyFlips } from './flip-tally.ts';
import type { FreshVerdict } from './judge-again.ts';
import { type MakeJudgeOptions, makeVerdicts, type Snapshot } from './make-judge.ts';
import { createPace } from './pace.ts';

/** @returns the feeds that change too many verdicts */
export type ReviewByVerdicts = (active: Snapshot, candidate: Snapshot) => Promise<readonly FeedFlips[]>;

export interface FeedReviewOptions extends Omit<MakeJudgeOptions, 'intel' | 'store' | 'directory'> {
  readonly store: MakeJudgeOptions['store'] &
    Pick<HistoryStore, 'replayableAssessments' | 'indexing'> &
    Pick<AssessmentStore, 'findStored'> &
    FeedFlipStore;
  readonly directory: MakeJudgeOptions['directory'] & Pick<Directory, 'accounts'>;
  /** `null`: nothing waits. */
  readonly limit: FlipLimit | null;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly signal: AbortSignal;
  readonly log: Pick<Logger, 'warn'>;
  /** Max. time for one review, milliseconds. Default 15 s: a person who rolls a feed back waits for it. */
  readonly maxMs?: number;
}

const DAY_MS = 86_400_000;
const DAYS = 7;
/** Signups that are judged again, and those of one account: the newest. Each account has its part of them. */
const MAX_JUDGED = 20_000;
const MIN_OF_ACCOUNT = 100;
const MAX_OF_ACCOUNT = 5_000;
const MAX_MS = 15_000;
const POLL_MS = 100;

/** A source that both snapshots have, in two versions. */
interface ChangedFeed {
  readonly feed: string;
  readonly inUse: string;
  /** Version of the candidate. */
  readonly version: string;
}

/** Reviews of one service run one after the other, because the thread of the feeds waits for each. */
export function createFeedReview(options: FeedReviewOptions): ReviewByVerdicts {
  const { limit, directory, clock, signal, log, maxMs = MAX_MS } = options;

  return async (active, candidate) => {
    const changed = changedFeeds(active, candidate);
    if (limit === null || changed.length === 0) return [];
    const until = performance.now() + maxMs;
    await untilIndexed(options, until);
    const isOver = () => signal.aborted || performance.now() > until;
    const tally = createFlipTally(changed, limit);
    const accounts = directory.accounts();
    const part = Math.floor(MAX_JUDGED / Math.max(1, accounts.length));
    const ofAccount = Math.min(MAX_OF_ACCOUNT, Math.max(MIN_OF_ACCOUNT, part));
    for (const { id } of accounts) {
      const max = Math.min(ofAccount, MAX_JUDGED - tally.judged());
      if (isOver() || max <= 0) break;
      const verdicts = await makeVerdicts(options, { active, candidate }, id, clock());
      await judgeAccount(id, { ...options, verdicts, isOver, tally, changed, max });
    }
    const found = tally.tooMany();
    await saveExamples(changed, found, options.store);
    for (const { feed, accountId, flips, judged } of tally.unheld())
      log.warn(
        { feed, account: accountId, changed: flips, judged },
        'a feed update changes many verdicts of one account alone: it is used',
      );
    return found.map(({ examples: _, ...flips }) => flips);
  };
}

/** A source that is new here, or that the active snapshot has not, was never compared with anything: it does not wait. */
function changedFeeds(active: Snapshot, candidate: Snapshot): ChangedFeed[] {
  const before = new Map(active.sources.map(({ id, version }) => [id, version]));
  return candidate.sources.flatMap(({ id, version, origin }) => {
    const inUse = before.get(id);
    return origin.startsWith('feed:') && inUse !== undefined && inUse !== version
      ? [{ feed: id, inUse, version }]
      : [];
  });
}

/** Signups that are not indexed yet cannot be read; a first index may take longer than a review may. */
async function untilIndexed({ store, clock, signal }: FeedReviewOptions, until: number): Promise<void> {
  while (!signal.aborted && performance.now() < until && (await store.indexing(clock())) !== null)
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
}

interface AccountReview extends FeedReviewOptions {
  readonly verdicts: Awaited<ReturnType<typeof makeVerdicts<{ active: Snapshot; candidate: Snapshot }>>>;
  readonly isOver: () => boolean;
  readonly tally: FlipTally;
  readonly changed: readonly ChangedFeed[];
  /** Max. number of its signups. */
  readonly max: number;
}

async function judgeAccount(account: string, review: AccountReview): Promise<void> {
  const { store, verdicts, clock, signal, isOver, tally, changed, max } = review;
  const pace = createPace(signal);
  const now = clock();
  const search = { mode: 'live', since: now - DAYS * DAY_MS } as const;
  for await (const chunk of store.replayableAssessments(account, search, max)) {
    for (const { row, stored } of chunk) {
      await pace();
      if (isOver()) return;
      const before = await verdicts.active(stored, now);
      const after = before && (await verdicts.candidate(stored, now));
      if (before === null || after === null) continue;
      const flip = flipOf(row, before, after);
      tally.note(
        account,
        flip && { ...flip, accountId: account, network: stored.network },
        flip ? causesOf(before, after, changed) : [],
      );
    }
  }
}

/** A change that a person's report agrees with is right: it does not count. */
function flipOf(
  { requestId, at, feedback }: ReplayableAssessment['row'],
  { verdict: oldVerdict }: FreshVerdict,
  { verdict: newVerdict }: FreshVerdict,
): Omit<FeedFlip, 'accountId'> | undefined {
  const change = severityChange(oldVerdict, newVerdict);
  if (change === 0 || reportedAs(feedback) === (change > 0 ? 'fraud' : 'good')) return undefined;
  return { requestId, at, oldVerdict, newVerdict };
}

/** Changed feeds that say something else about the signup. Where none does, such as a ranking, any may be the cause. */
function causesOf(
  { evidence: before }: FreshVerdict,
  { evidence: after }: FreshVerdict,
  changed: readonly ChangedFeed[],
): readonly string[] {
  const earlier = hitsIn(before);
  const later = hitsIn(after);
  const key = ({ fact, source, entry }: Hit) => `${fact} ${source} ${entry}`;
  const keys = { earlier: new Set(earlier.map(key)), later: new Set(later.map(key)) };
  const sources = new Set(
    [
      ...earlier.filter((hit) => !keys.later.has(key(hit))),
      ...later.filter((hit) => !keys.earlier.has(key(hit))),
    ].map(({ source }) => source),
  );
  const causes = changed.filter(({ feed }) => sources.has(feed));
  return (causes.length === 0 ? changed : causes).map(({ feed }) => feed);
}

function hitsIn({ email, ip }: Evidence): readonly Hit[] {
  return ip === null ? email.hits : [...email.hits, ...ip.hits];
}

/** People look at them while a version waits. Somebody who was erased after the signups were read must not be kept. */
async function saveExamples(
  changed: readonly ChangedFeed[],
  found: readonly TooManyFlips[],
  store: FeedReviewOptions['store'],
): Promise<void> {
  const kept = new Set((await store.feedFlips()).map(({ feed }) => feed));
  for (const { feed, version } of changed) {
    const examples = found.find((flips) => flips.feed === feed)?.examples ?? [];
    if (examples.length > 0 || kept.has(feed)) await store.saveFeedFlips(feed, version, examples);
    const stored = await Promise.all(
      examples.map(({ accountId, requestId }) => store.findStored(requestId, { accountId, mode: 'live' })),
    );
    const gone = examples.filter((_, at) => stored[at] === undefined);
    await store.forgetFeedFlips(gone.map(({ requestId }) => requestId));
  }
}
