/** Decides what a mail host is worth as a witness: which listed and which ordinary domains it was seen to serve. */
import { ownerDomain } from '../../address/domain.ts';
import type { StoredText } from '../rdap/bootstrap.ts';
import type { Texts } from '../rdap/durable-ages.ts';
import { createRecent } from '../recent.ts';

/**
 * What a domain is, for the hosts that serve it: `listed` as disposable; `ordinary`; or `neither`, of which nothing
 * can be concluded.
 */
export type Kind = 'listed' | 'ordinary' | 'neither';

export interface Standings {
  /** Takes note of a domain that the host, the root or the address `key` serves. `name` is in the form of its kind. */
  note(key: string, name: string, kind: Kind): void;
  /**
   * How many listed domains the key serves besides `domain`; 0 when they are fewer than the least number, or when an
   * ordinary domain was seen there.
   */
  serves(key: string, domain: string): number;
  /** Whether a listed domain besides `domain` was seen there. */
  servesOtherListed(key: string, domain: string): boolean;
  /** Whether an ordinary domain was seen there. */
  isCleared(key: string): boolean;
  /** What has to be waited for until the keys are known; `undefined` when nothing has. */
  arriving(keys: readonly (string | undefined)[]): Promise<unknown> | undefined;
  /** Writes what changed since the last time. */
  flush(): void;
}

export interface StandingsOptions {
  readonly texts: Texts;
  /** Fewest listed domains that say something of the host. */
  readonly least: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Keys in memory at most. */
  readonly capacity: number;
}

interface Standing {
  readonly listed: Set<string>;
  readonly ordinary: Set<string>;
  /** More ordinary domains than are kept by name. */
  crowded: boolean;
}

const MOST_LISTED = 20;
const MOST_ORDINARY = 4;
/** Hosts change hands: without anything new for so long, what was seen is forgotten at the next start. */
const LIFETIME_MS = 180 * 86_400_000;

export function createStandings({ texts, least, clock, capacity }: StandingsOptions): Standings {
  const recent = createRecent<Standing>(capacity);
  /** Held here until written, so that what memory forgets meanwhile is not lost. */
  const changed = new Map<string, Standing>();
  /** Of which what was kept is on its way. */
  const loading = new Map<string, Promise<void>>();
  /** Texts that need not be waited for need not be read ahead. */
  let atHand = false;

  function get(key: string): Standing {
    const held = recent.get(key) ?? changed.get(key);
    if (held !== undefined) return held;
    const kept = texts.get(nameOf(key));
    atHand = !(kept instanceof Promise);
    const standing = kept instanceof Promise ? newStanding() : read(kept);
    recent.set(key, standing);
    if (kept instanceof Promise) load(key, standing, kept);
    return standing;
  }

  function read(kept: StoredText | undefined): Standing {
    return kept !== undefined && kept.expiresAt > clock() ? readStanding(kept.text) : newStanding();
  }

  /** What was noted meanwhile is newer than what was kept. */
  function load(key: string, standing: Standing, kept: Promise<StoredText | undefined>): void {
    const loaded = kept.then((text) => {
      loading.delete(key);
      const { listed, ordinary, crowded } = read(text);
      for (const name of listed) if (!standing.ordinary.has(name)) take(standing, name, 'listed');
      for (const name of ordinary) if (!standing.listed.has(name)) take(standing, name, 'ordinary');
      standing.crowded ||= crowded;
    });
    loading.set(key, loaded);
  }

  return {
    note(key, name, kind) {
      const standing = get(key);
      if (take(standing, name, kind)) changed.set(key, standing);
    },
    serves(key, domain) {
      const standing = get(key);
      if (standing.listed.size < least || isCleared(standing)) return 0;
      const others = otherListed(standing, domain);
      return others < least ? 0 : others;
    },
    servesOtherListed: (key, domain) => otherListed(get(key), domain) > 0,
    isCleared: (key) => isCleared(get(key)),
    arriving(keys) {
      if (atHand) return undefined;
      for (const key of keys) if (key !== undefined) get(key);
      const awaited = keys.flatMap((key) => (key === undefined ? [] : (loading.get(key) ?? [])));
      return awaited.length === 0 ? undefined : Promise.all(awaited);
    },
    flush() {
      const expiresAt = clock() + LIFETIME_MS;
      for (const [key, standing] of changed) {
        // Half of it would take the place of the whole.
        if (loading.has(key)) continue;
        texts.put(nameOf(key), writeStanding(standing), expiresAt);
        changed.delete(key);
      }
    },
  };
}

/** A domain is no proof against itself, whether it is still on a list or not. */
function otherListed({ listed }: Standing, domain: string): number {
  const itself = listed.has(domain) || listed.has(ownerDomain(domain) ?? domain) ? 1 : 0;
  return listed.size - itself;
}

function isCleared({ ordinary, crowded }: Standing): boolean {
  return crowded || ordinary.size > 0;
}

/** True when that changed anything. */
function take(standing: Standing, name: string, kind: Kind): boolean {
  const { listed, ordinary } = standing;
  const moved = (kind !== 'listed' && listed.delete(name)) || (kind !== 'ordinary' && ordinary.delete(name));
  if (kind === 'listed' && !listed.has(name) && listed.size < MOST_LISTED) {
    listed.add(name);
    return true;
  }
  if (kind !== 'ordinary' || standing.crowded || ordinary.has(name)) return moved;
  if (ordinary.size < MOST_ORDINARY) ordinary.add(name);
  else standing.crowded = true;
  return true;
}

function nameOf(key: string): string {
  return `mail-host:${key}`;
}

function writeStanding({ listed, ordinary, crowded }: Standing): string {
  return JSON.stringify({ listed: [...listed], ordinary: [...ordinary], crowded });
}

/** A text that cannot be read says nothing. */
function readStanding(text: string): Standing {
  try {
    const { listed, ordinary, crowded } = JSON.parse(text) as Record<string, unknown>;
    return { listed: readSet(listed), ordinary: readSet(ordinary), crowded: crowded === true };
  } catch {
    return newStanding();
  }
}

function newStanding(): Standing {
  return { listed: new Set(), ordinary: new Set(), crowded: false };
}

function readSet(value: unknown): Set<string> {
  return new Set(Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []);
}
