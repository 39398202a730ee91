/** Runs the learning of waves in a thread of its own: when it reads, what it is told, and what it tells. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import type { Campaign } from '../model/campaign.ts';
import type { UsualDomain } from '../model/usual-domain.ts';
import { createSteadyClock } from '../platform/steady-clock.ts';
import { isStoreFailure } from '../store/store-failure.ts';
import { createWaveFollower, type LearnedWaves } from './follow-signups.ts';
import type { WaveMember } from './wave-member.ts';
import { LEARNER_BYTES } from './wave-replay.ts';

/** Data that the thread starts with. */
export interface LearningData {
  /** Stored campaigns that are open, or ended otherwise than by silence. */
  readonly standing: readonly Campaign[];
  /** Usual domains, as they are stored. */
  readonly usual: readonly UsualDomain[];
  /** Whether no campaign was ever stored. */
  readonly isFirst: boolean;
  /** Days that addresses of mailboxes count; 0: they are not learned. */
  readonly mailboxDays: number;
  /** Pause after which it looks for new signups without being told, milliseconds. */
  readonly pollMs: number;
}

/** Message to the thread, beside `close`. `wake`: something was committed. */
export type LearningOrder = 'wake' | { readonly decided: Campaign } | { readonly removed: string };

export type LearningEvent =
  | { readonly kind: 'learned'; readonly learned: LearnedWaves }
  /** `isStoreAway`: the database itself fails. */
  | { readonly kind: 'fault'; readonly why: string; readonly isStoreAway: boolean };

/** Source of the members, as `CommittedSignups` of the store. */
interface MemberSource {
  next(): Promise<readonly WaveMember[] | null>;
  close(): Promise<void>;
}

const AFTER_FAULT_MS = 3_000;
/** Pause between two reports of how campaigns grow: they are stored as often. */
const GROWTH_MS = 1_000;
/** Pause after a step, in times of the step. */
const PAUSE = 20;
const MAX_PAUSE_MS = 100;
/** A jump of the clock that is corrected sooner ends no wave. */
const CLOCK_PATIENCE_MS = 3_600_000;

/** Call it in the thread. Resolves when it was told to close. */
export async function runLearning(
  { standing, usual, isFirst, mailboxDays, pollMs }: LearningData,
  source: MemberSource,
): Promise<void> {
  const port = parentPort as NonNullable<typeof parentPort>;
  const tell = (event: LearningEvent) => port.postMessage(event);
  const clock = createSteadyClock({
    wall: Date.now,
    monotonic: () => performance.now(),
    patienceMs: CLOCK_PATIENCE_MS,
  });
  const follower = createWaveFollower({
    next: source.next,
    standing,
    usual,
    isFirst,
    mailboxDays,
    clock,
    tell: (learned) => tell({ kind: 'learned', learned }),
    bytes: LEARNER_BYTES,
    growthMs: GROWTH_MS,
  });
  const orders = createOrders();
  port.on('message', (order: LearningOrder | 'close') => {
    if (order === 'close') orders.close();
    else if (order === 'wake') orders.wake();
    else if ('decided' in order) follower.decided(order.decided);
    else follower.removeAccount(order.removed);
  });
  let isFaulty = false;
  while (!orders.isClosed()) {
    const began = performance.now();
    try {
      const more = await follower.step();
      isFaulty = false;
      const took = performance.now() - began;
      // A learner that is far behind rests as long as it works. Otherwise a pause under load lets it read many at once.
      await orders.rest(more ? took : Math.min(MAX_PAUSE_MS, PAUSE * took));
      if (!more) await orders.wait(pollMs);
    } catch (error) {
      const { message: why } = error as Error;
      if (!isFaulty) tell({ kind: 'fault', why, isStoreAway: isStoreFailure(error) });
      isFaulty = true;
      await orders.rest(AFTER_FAULT_MS);
    }
  }
  await source.close();
  port.close();
}

/** Pauses, and what ends them. */
function createOrders() {
  let isClosed = false;
  let isWoken = false;
  let isResting = false;
  let end = () => {};

  async function pause(milliseconds: number): Promise<void> {
    if (isClosed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    end = () => {};
  }

  return {
    isClosed: () => isClosed,
    close() {
      isClosed = true;
      end();
    },
    wake() {
      isWoken = true;
      if (!isResting) end();
    },
    /** Waits until something was committed. */
    async wait(milliseconds: number): Promise<void> {
      if (!isWoken) await pause(milliseconds);
      isWoken = false;
    },
    /** Waits, also if something was committed. */
    async rest(milliseconds: number): Promise<void> {
      isResting = true;
      await nextTurn();
      await pause(Math.ceil(milliseconds));
      isResting = false;
    },
  };
}
