/** Decides below which domains no further names are asked for, because their name servers do not answer. */
import { ownerDomain } from '../address/domain.ts';
import { createTwoGenerationCache } from './two-generation-cache.ts';

export interface SilentDomains {
  /** Whether `name` is not to be asked for. Once a minute one name below a silent domain is let through. */
  refuses(name: string, now: number): boolean;
  /** Nothing answered for `name`, while the resolver answered others. */
  noteSilence(name: string, now: number): void;
  /** Something answered for `name`: its name servers speak. */
  noteAnswer(name: string): void;
  clear(): void;
}

interface Silence {
  /** Different names that stayed silent in a row. */
  readonly names: ReadonlySet<string>;
  /** Until when it counts, and once there are enough names, no name is asked for. */
  readonly until: number;
}

const NAMES_UNTIL_SILENT = 5;
const SILENT_MS = 60_000;
/** Domains remembered at most, five names each. */
const CAPACITY = 4_000;

/**
 * By owner: below a suffix under which strangers get names, nobody's silence is held against another. The domain itself
 * is one name only, the one that bystanders use: it is always asked for, and counts for nothing.
 */
export function createSilentDomains(capacity = CAPACITY): SilentDomains {
  const silences = createTwoGenerationCache<Silence>(capacity);

  function current(owner: string, now: number): Silence | undefined {
    const silence = silences.get(owner);
    return silence !== undefined && silence.until > now ? silence : undefined;
  }

  return {
    refuses(name, now) {
      const owner = ownerAbove(name);
      const silence = owner === undefined ? undefined : silences.get(owner);
      if (owner === undefined || silence === undefined || silence.names.size < NAMES_UNTIL_SILENT)
        return false;
      if (silence.until > now) return true;
      silences.set(owner, { names: silence.names, until: now + SILENT_MS });
      return false;
    },
    noteSilence(name, now) {
      const owner = ownerAbove(name);
      if (owner === undefined) return;
      const names = current(owner, now)?.names ?? new Set();
      if (names.size >= NAMES_UNTIL_SILENT) return;
      silences.set(owner, { names: new Set([...names, name]), until: now + SILENT_MS });
    },
    noteAnswer(name) {
      const owner = ownerAbove(name);
      if (owner !== undefined && silences.get(owner) !== undefined)
        silences.set(owner, { names: new Set(), until: 0 });
    },
    clear: () => silences.clear(),
  };
}

/** The owner's domain that `name` lies below; `undefined` for that domain itself. */
function ownerAbove(name: string): string | undefined {
  const owner = ownerDomain(name);
  return owner === name ? undefined : owner;
}
