/** Decides which names need not be asked for, because their zone answers for any made-up name. */
import { randomInt } from 'node:crypto';
import { ownerDomain } from '../../address/domain.ts';
import type { MailExchange } from '../../model/evidence.ts';
import type { MailAnswer } from './dns-mail-answer.ts';
import { createTwoGenerationCache } from './two-generation-cache.ts';

export interface CatchAllZones {
  /**
   * The answer for a made-up name beside this one; `undefined` if the name must be asked for. One in 20 is asked for in
   * any case: the owner of the zone may answer differently for real names.
   */
  answerFor(name: string, now: number): MailExchange | undefined;
  /** The name takes mail, at these hosts. Returns a made-up name to ask for now, if any. */
  noteValid(name: string, hosts: readonly string[], now: number): string | undefined;
  /** The answer for the made-up name; `undefined` without an answer. */
  noteMadeUp(madeUp: string, answer: MailAnswer | undefined, now: number): void;
  clear(): void;
}

interface Zone {
  /** Hashes of different names that take mail: names may be long, and a collision only makes the count one lower. */
  readonly names: readonly number[];
  /** Hash of the owners of their hosts; `null` if these differ, and each name must be asked for. */
  readonly hostOwners: number | null;
  /** Time until which they count. */
  readonly countedUntil: number;
  /** No made-up name is asked for before this. */
  readonly askAgainAt: number;
  readonly answer: MailExchange | undefined;
  readonly answerUntil: number;
  /** Number of times that the answer was used. */
  uses: number;
}

/** One organisation seldom has signups from so many departments within an hour. */
const NAMES_BEFORE_PROBE = 20;
const COUNTED_MS = 3_600_000;
/** Time that names of a zone with different hosts are asked for one by one. */
const MIXED_MS = 86_400_000;
/** One name in so many is asked for all the same, to see whether the answer has changed. */
const USES_PER_CHECK = 20;
const ASK_AGAIN_MS = 600_000;
const MIN_ANSWER_MS = 60_000;
const MAX_ANSWER_MS = 3_600_000;
/** Zones remembered at most, with 20 numbers each: 4 MB at most, without the answers. */
const CAPACITY = 4_000;

/**
 * Zones by owner and number of labels: `a.b.example.com` says nothing about `c.example.com`. The owner's domain itself is always
 * asked for. @param makeLabel a label that nobody can predict, in the form of a label that was seen
 */
export function createCatchAllZones(makeLabel: (seen: string) => string, capacity = CAPACITY): CatchAllZones {
  const zones = createTwoGenerationCache<Zone>(capacity);
  const seed = hashOf(makeLabel('twelve-letters'), 0x811c9dc5);

  return {
    answerFor(name, now) {
      const key = keyOf(name);
      const zone = key === undefined ? undefined : zones.get(key);
      if (zone === undefined || zone.answerUntil <= now) return undefined;
      zone.uses += 1;
      return zone.uses % USES_PER_CHECK === 0 ? undefined : zone.answer;
    },
    noteValid(name, hosts, now) {
      const key = keyOf(name);
      if (key === undefined) return undefined;
      const known = zones.get(key);
      const hostOwners = hashOf(ownersOf(hosts), seed);
      const zone = known !== undefined && known.countedUntil > now ? known : newZone(now, hostOwners);
      if (zone.hostOwners === null) return undefined;
      if (zone.hostOwners !== hostOwners) {
        zones.set(key, { ...newZone(now, null), countedUntil: now + MIXED_MS });
        return undefined;
      }
      const names = withName(zone.names, hashOf(name, seed));
      const due = names.length >= NAMES_BEFORE_PROBE && now >= zone.askAgainAt;
      zones.set(key, { ...zone, names, askAgainAt: due ? now + ASK_AGAIN_MS : zone.askAgainAt });
      if (!due) return undefined;
      const owner = ownerDomain(name) as string;
      const labels = name.slice(0, -owner.length - 1).split('.');
      return [...labels.map(makeLabel), owner].join('.');
    },
    noteMadeUp(madeUp, answer, now) {
      const key = keyOf(madeUp);
      const zone = key === undefined ? undefined : zones.get(key);
      if (key === undefined || zone === undefined || answer?.value.status !== 'valid') return;
      if (zone.hostOwners !== hashOf(ownersOf(answer.value.hosts), seed)) return;
      const answerUntil = now + Math.min(Math.max(answer.ttlMs, MIN_ANSWER_MS), MAX_ANSWER_MS);
      // Asked again as soon as the answer is out of date: the names were counted already.
      zones.set(key, { ...zone, answer: answer.value, answerUntil, askAgainAt: answerUntil });
    },
    clear: () => zones.clear(),
  };
}

function withName(names: readonly number[], hash: number): readonly number[] {
  return names.length >= NAMES_BEFORE_PROBE || names.includes(hash) ? names : [...names, hash];
}

/** FNV-1a with an unpredictable seed, so that nobody can construct names with the same hash. */
function hashOf(name: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

function newZone(now: number, hostOwners: number | null): Zone {
  return {
    names: [],
    hostOwners,
    countedUntil: now + COUNTED_MS,
    askAgainAt: 0,
    answer: undefined,
    answerUntil: 0,
    uses: 0,
  };
}

function ownersOf(hosts: readonly string[]): string {
  return [...new Set(hosts.map((host) => ownerDomain(host) ?? host))].sort().join(' ');
}

/** Number of labels that the name has above its owner's domain, and that domain; `undefined` for the domain itself. */
function keyOf(name: string): string | undefined {
  const owner = ownerDomain(name);
  if (owner === undefined || owner === name) return undefined;
  return `${name.slice(0, -owner.length - 1).split('.').length} ${owner}`;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
/** Min. length of a label: shorter ones might exist. */
const MIN_LENGTH = 8;

/** Digits for digits, letters for letters; hyphens stay. 8 to 63 characters. */
export function makeLabelLike(seen: string): string {
  const form = seen.startsWith('xn--') ? LETTERS : seen;
  const padded = form + LETTERS.slice(0, Math.max(0, MIN_LENGTH - form.length));
  return [...padded].map((character) => drawLike(character)).join('');
}

function drawLike(character: string): string {
  if (character === '-') return character;
  const characters = DIGITS.includes(character) ? DIGITS : LETTERS;
  return characters[randomInt(characters.length)] as string;
}
