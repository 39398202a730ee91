/** Decides how long another node is waited for when it is asked to do something with the feeds. */
import { setTimeout } from 'node:timers/promises';
import { decodeOutcome, type FeedTask, type TaskOutcome } from './feed-task.ts';
import type { SharedFolders } from './shared-folders.ts';
import { packFiles } from './task-files.ts';

export interface AskOptions {
  readonly folders: SharedFolders;
  readonly folder: string;
  readonly clock: () => number;
  readonly task: FeedTask;
  /** Folder of the files that go with the task. */
  readonly source: string | undefined;
  /** Does it here, where nobody leads; else `undefined`. */
  readonly alone: () => Promise<TaskOutcome | undefined>;
}

const POLL_MS = 250;
/** The one that leads may have died just now: then this node may do it. */
const TAKEN_MS = 4_000;
const PATIENCE_MS = 30_000;
/** Publishers may be slow. */
const DONE_MS = 15 * 60_000;

/** @throws when it could not be done, or nobody did it in time */
export async function ask(options: AskOptions): Promise<TaskOutcome> {
  const { folders, folder, clock, task, source, alone } = options;
  const until = clock() + PATIENCE_MS;
  const files = source === undefined ? new Map<string, Uint8Array>() : await packFiles(source);
  do {
    const outcome = (await alone()) ?? (await askOnce());
    if (outcome !== undefined) return outcome;
  } while (clock() < until);
  throw new Error('the node that keeps the feeds does not answer: ask again');

  /** `undefined` when nobody took it. */
  async function askOnce(): Promise<TaskOutcome | undefined> {
    const asked = clock();
    const id = await folders.ask(folder, JSON.stringify(task), files, asked);
    for (;;) {
      await setTimeout(POLL_MS);
      const progress = await folders.progress(id);
      if (progress === undefined) return undefined;
      if (progress.answer !== null) return decodeOutcome(progress.answer);
      if (clock() - asked > DONE_MS) throw new Error('the node that keeps the feeds is still at it');
      const late = !progress.taken && clock() - asked > TAKEN_MS;
      if (late && (await folders.withdraw(id))) return undefined;
    }
  }
}
