/** Decides which node keeps the feeds of an installation, and has all the others follow what it makes of them. */
import type { FeedManager } from '../refresh/feed-manager.ts';
import { ask } from './ask.ts';
import { ABANDONED, encodeOutcome, type FeedTask, type TaskOutcome } from './feed-task.ts';
import { createLocalFiles, isFollowed, isShared, NOTE, snapshotId } from './local-files.ts';
import { createMirror } from './mirror.ts';
import type { Leadership, Listing, SharedFolders, SharedTask } from './shared-folders.ts';
import { withUnpacked } from './task-files.ts';

/** Work that only the leader does; the signal tells that it leads no more. */
export type LeadersWork<T> = (signal: AbortSignal, lead: Leadership | undefined) => Promise<T>;

export interface SharedFeeds {
  /** One look at what is shared: takes the lead where nobody has it, else follows. Returns whether something changed here. */
  poll(): Promise<boolean>;
  leads(): boolean;
  /** Does it if this node leads, and shares what came of it; else `undefined`. */
  whileLeading<T>(work: LeadersWork<T>): Promise<T | undefined>;
  /** Has it done by whoever leads: by this node where nobody does. @throws when it could not be done */
  ask(task: FeedTask, source?: string): Promise<TaskOutcome>;
  /** Whether this is the snapshot that all nodes are to answer from. */
  isInForce(id: string): boolean;
  /** Looks soon when something changed. */
  onHint(listener: () => void): void;
  /** Lets go of the lead, and of the folders. */
  close(): Promise<void>;
}

export interface SharedFeedsOptions {
  readonly folders: SharedFolders;
  /** Id of the bundled snapshot: nodes with another one have feeds and snapshots of their own. */
  readonly base: string;
  /** The intelligence folder of this node. */
  readonly folder: string;
  readonly keeper: FeedManager;
  /** `always`: leads whenever nobody does. `asked`: for one task at a time. */
  readonly leading: 'always' | 'asked';
  readonly clock: () => number;
  /** The leader's work. `source`: folder of the files that came with the task. */
  readonly carryOut: (task: FeedTask, source: string) => LeadersWork<TaskOutcome>;
  readonly onLead: (leads: boolean) => void;
  readonly onFault: (error: unknown) => void;
}

/** One time of leading. */
interface Term {
  readonly lead: Leadership;
  readonly ending: AbortController;
  readonly running: Set<Promise<unknown>>;
}

const FORGET_MS = 7 * 86_400_000;
const NOTHING: Listing = { revision: 0, files: [] };

export function createSharedFeeds(options: SharedFeedsOptions): SharedFeeds {
  const { folders, base, folder, keeper, leading, clock, carryOut, onLead, onFault } = options;
  const mirror = createMirror({ folders, local: createLocalFiles(folder), ...keeper });
  /** What is shared, as far as it is known to be here too. */
  let seen: Listing | undefined;
  let term: Term | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** Going over between the folders is done alone. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  }

  async function takeLead(): Promise<void> {
    if (term !== undefined) return;
    const lead = await folders.lead(base, ABANDONED);
    if (lead === undefined) return;
    try {
      seen = await takeOver();
      await lead.forgetBefore(clock() - FORGET_MS);
    } catch (error) {
      await lead.release().catch(() => {});
      throw error;
    }
    term = { lead, ending: new AbortController(), running: new Set() };
    onLead(true);
  }

  /**
   * Goes on where the leader before stopped: with every version, rollback and refusal of each feed, so nothing is
   * fetched again and nothing poorer replaces what is shared. A new release starts from the feeds of the one before,
   * the very first leader from its own.
   */
  async function takeOver(): Promise<Listing> {
    const shared = await mirror.pull(base, isShared);
    if (shared.revision > 0) return shared;
    const before = await folders.newestBeside(base);
    if (before !== undefined) {
      await mirror.pull(before, (name) => isShared(name) && name !== NOTE && snapshotId(name) === undefined);
    }
    return NOTHING;
  }

  async function endTerm(): Promise<void> {
    const ended = term;
    if (ended === undefined) return;
    ended.ending.abort();
    await Promise.allSettled(ended.running);
    term = undefined;
    // What was done since the last push is nobody's any more: all is compared again.
    seen = undefined;
    onLead(false);
    await ended.lead.release().catch(() => {});
  }

  const share = (lead: Leadership) =>
    alone(async () => {
      seen = await mirror.push(lead, seen ?? NOTHING, clock());
    });

  async function whileLeading<T>(work: LeadersWork<T>): Promise<T | undefined> {
    const mine = term;
    if (mine === undefined) return undefined;
    const done = work(mine.ending.signal, mine.lead).finally(() => share(mine.lead));
    mine.running.add(done);
    try {
      return await done;
    } finally {
      mine.running.delete(done);
      if (leading === 'asked' && mine.running.size === 0) await endTerm();
    }
  }

  async function serve({ lead }: Term): Promise<void> {
    await share(lead);
    for (let task = await lead.nextTask(); task !== undefined; task = await lead.nextTask()) {
      void answer(task, lead).catch(onFault);
    }
  }

  async function answer(task: SharedTask, lead: Leadership): Promise<void> {
    const wanted = JSON.parse(task.text) as FeedTask;
    const outcome = await withUnpacked(folders, task, (source) =>
      whileLeading(carryOut(wanted, source)),
    ).catch((error: Error) => error);
    await lead.answer(task.id, encodeOutcome(outcome ?? new Error('this node leads no more')));
  }

  async function follow(): Promise<boolean> {
    if (seen !== undefined && (await folders.revision(base)) === seen.revision) return false;
    await alone(async () => {
      if (term === undefined) seen = await mirror.pull(base, isFollowed);
    });
    return true;
  }

  /** For one task, where nobody leads; `undefined` where somebody does. */
  async function leadFor(task: FeedTask, source = ''): Promise<TaskOutcome | undefined> {
    await alone(takeLead);
    return whileLeading(carryOut(task, source));
  }

  return {
    async poll() {
      if (term !== undefined && !term.lead.isHeld()) await endTerm();
      if (term === undefined && leading === 'always') await alone(takeLead);
      if (term === undefined) return follow();
      await serve(term);
      return false;
    },
    leads: () => term !== undefined,
    whileLeading,
    ask: (task, source) =>
      ask({ folders, folder: base, clock, task, source, alone: () => leadFor(task, source) }),
    isInForce: (id) => seen?.files.some(({ name }) => snapshotId(name) === id) === true,
    onHint: folders.onHint,
    async close() {
      await endTerm();
      await folders.close();
    },
  };
}
