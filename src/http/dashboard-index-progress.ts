/** Decides what happens while the log's index is behind: an answer says so, or it is refused until the index is complete. */
import type { IndexBacklog } from '../contract/dashboard-assessments.ts';
import { stillIndexing } from '../store/history-log-problems.ts';
import type { IndexProgress, LogStore } from '../store/history-store.ts';

/** For answers that would mislead without the signups that are not indexed yet. @throws Problem `unavailable` with progress and Retry-After */
export async function requireIndexed(store: Pick<LogStore, 'indexing'>, to?: number): Promise<void> {
  const progress = await store.indexing(to);
  if (progress !== null) throw stillIndexing(progress);
}

/** For answers that say how far they reach; asked before what they are made of. */
export function toIndexBacklog(progress: IndexProgress | null): IndexBacklog | null {
  if (progress === null) return null;
  const { indexed, total, secondsLeft } = progress;
  return { indexed, total, seconds_left: secondsLeft };
}
