/** Decides what can be asked to be done with the feeds, how it is done, and how task and outcome travel between nodes. */
import type { Feed } from '../feeds/feed.ts';
import type { FeedManager } from '../refresh/feed-manager.ts';
import type { Publication } from '../refresh/publish.ts';
import type { FeedReport } from '../refresh/refresh-feeds.ts';

export type FeedTask =
  | { readonly refresh: readonly string[]; readonly anySize?: boolean }
  | { readonly rollBack: string }
  /** Takes in the files that `gatehouse intel export` wrote. */
  | { readonly import: true };

export interface TaskOutcome {
  readonly reports: readonly FeedReport[];
  /** `null` when nothing had to be compiled. */
  readonly publication: Publication | null;
}

export interface TaskRun {
  readonly keeper: FeedManager;
  readonly feeds: readonly Feed[];
  readonly signal: AbortSignal;
  readonly onReport: (report: FeedReport) => void;
  /** Compiles what is in force, if that has changed. */
  readonly publish: () => Promise<Publication | undefined>;
  /** Where the files lie that are to be imported. */
  readonly source: string;
}

export const ABANDONED = encodeOutcome(
  new Error('the node that was at it has ended: look how the feeds stand, then ask again'),
);

/** @throws when it cannot be done */
export async function carryOut(task: FeedTask, run: TaskRun): Promise<TaskOutcome> {
  const { keeper, feeds, signal, onReport } = run;
  const reports: FeedReport[] = [];
  if ('refresh' in task) {
    const named = feeds.filter(({ id, enabled }) => enabled && task.refresh.includes(id));
    reports.push(...(await keeper.refresh(named, { anySize: task.anySize === true, signal, onReport })));
  } else if ('rollBack' in task) {
    for (const feed of feeds.filter(({ id }) => id === task.rollBack)) await keeper.rollBack(feed);
  } else {
    reports.push(...(await keeper.import(run.source, onReport)));
  }
  return { reports, publication: (await run.publish()) ?? null };
}

export function encodeOutcome(outcome: TaskOutcome | Error): string {
  return JSON.stringify(outcome instanceof Error ? { why: outcome.message } : outcome);
}

/** @throws the error that the outcome is */
export function decodeOutcome(text: string): TaskOutcome {
  const outcome = JSON.parse(text) as TaskOutcome | { why: string };
  if ('why' in outcome) throw new Error(outcome.why);
  return outcome;
}
