/** Decides which names need not be asked for, because their zone answers for any name that somebody makes up. */
import { ownerDomain } from '../../address/domain.ts';
import type { MailExchange } from '../evidence.ts';
import { createTwoGenerationCache } from '../two-generation-cache.ts';
import type { MailAnswer } from './mail-answer.ts';

export interface CatchAllZones {
  /** The answer for a made-up name beside this one; `undefined` where the name has to be asked for. */
  answerFor(name: string, now: number): MailExchange | undefined;
  /** The name takes mail. Returns a made-up name that is now to be asked for, if any. */
  noteValid(name: string, now: number): string | undefined;
  /** What the made-up name was answered with; `undefined` without an answer. */
  noteMadeUp(madeUp: string, answer: MailAnswer | undefined, now: number): void;
  clear(): void;
}

interface Zone {
  /** Different names that take mail. */
  readonly names: ReadonlySet<string>;
  /** Until when they count. */
  readonly countedUntil: number;
  /** No made-up name is asked for before this. */
  readonly askAgainAt: number;
  readonly answer: MailExchange | undefined;
  readonly answerUntil: number;
}

/** So many departments of one organisation seldom sign up within an hour. */
const NAMES_UNTIL_ASKED = 20;
const COUNTED_MS = 3_600_000;
const ASK_AGAIN_MS = 600_000;
const MIN_ANSWER_MS = 60_000;
const MAX_ANSWER_MS = 3_600_000;
/** Zones remembered at most, 20 names each. */
const CAPACITY = 4_000;

/**
 * By owner and number of labels: `a.b.example.com` says nothing of `c.example.com`. The owner's domain itself is always
 * asked for. @param makeLabel a label that nobody can foresee
 */
export function createCatchAllZones(makeLabel: () => string, capacity = CAPACITY): CatchAllZones {
  const zones = createTwoGenerationCache<Zone>(capacity);

  return {
    answerFor(name, now) {
      const key = keyOf(name);
      const zone = key === undefined ? undefined : zones.get(key);
      return zone !== undefined && zone.answerUntil > now ? zone.answer : undefined;
    },
    noteValid(name, now) {
      const key = keyOf(name);
      if (key === undefined) return undefined;
      const known = zones.get(key);
      const zone = known !== undefined && known.countedUntil > now ? known : newZone(now);
      const names = zone.names.size < NAMES_UNTIL_ASKED ? new Set([...zone.names, name]) : zone.names;
      const due = names.size >= NAMES_UNTIL_ASKED && now >= zone.askAgainAt;
      zones.set(key, { ...zone, names, askAgainAt: due ? now + ASK_AGAIN_MS : zone.askAgainAt });
      if (!due) return undefined;
      const [labels, owner] = key.split(' ') as [string, string];
      return [...Array.from({ length: Number(labels) }, makeLabel), owner].join('.');
    },
    noteMadeUp(madeUp, answer, now) {
      const key = keyOf(madeUp);
      const zone = key === undefined ? undefined : zones.get(key);
      if (key === undefined || zone === undefined || answer?.value.status !== 'valid') return;
      const answerUntil = now + Math.min(Math.max(answer.ttlMs, MIN_ANSWER_MS), MAX_ANSWER_MS);
      // Asked again as soon as the answer is over: the names were counted already.
      zones.set(key, { ...zone, answer: answer.value, answerUntil, askAgainAt: answerUntil });
    },
    clear: () => zones.clear(),
  };
}

function newZone(now: number): Zone {
  return {
    names: new Set(),
    countedUntil: now + COUNTED_MS,
    askAgainAt: 0,
    answer: undefined,
    answerUntil: 0,
  };
}

/** How many labels the name has above its owner's domain, and that domain; `undefined` for the domain itself. */
function keyOf(name: string): string | undefined {
  const owner = ownerDomain(name);
  if (owner === undefined || owner === name) return undefined;
  return `${name.slice(0, -owner.length - 1).split('.').length} ${owner}`;
}
