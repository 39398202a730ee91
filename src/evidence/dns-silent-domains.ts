/** Decides below which domains no further names are asked for, because their name servers do not answer. */
import { ownerDomain } from '../address/domain.ts';
import { createTwoGenerationCache } from './two-generation-cache.ts';

export interface SilentDomains {
  /** Whether `name` must not be asked for. Once a minute one name below a silent domain is asked for. */
  refuses(name: string, now: number): boolean;
  /** Nothing answered for `name`, while the resolver answered others. */
  noteSilence(name: string, now: number): void;
  /** Something answered for `name`: its name servers work. */
  noteAnswer(name: string): void;
  clear(): void;
}

interface SilenceRecord {
  /** Different names that stayed silent in a row. */
  readonly names: ReadonlySet<string>;
  /** Until when the names count; if there are enough of them, no name is asked for until then. */
  readonly until: number;
}

const NAMES_UNTIL_SILENT = 5;
const SILENT_MS = 60_000;
/** Domains remembered at most, five names each. */
const CAPACITY = 4_000;

/**
 * By owner: below a suffix under which strangers get names, each owner counts alone. The owner's domain itself is always
 * asked for and never counted: it is the name that ordinary users have.
 */
export function createSilentDomains(capacity = CAPACITY): SilentDomains {
  const records = createTwoGenerationCache<SilenceRecord>(capacity);

  function current(owner: string, now: number): SilenceRecord | undefined {
    const record = records.get(owner);
    return record !== undefined && record.until > now ? record : undefined;
  }

  return {
    refuses(name, now) {
      const owner = ownerAbove(name);
      const record = owner === undefined ? undefined : records.get(owner);
      if (owner === undefined || record === undefined || record.names.size < NAMES_UNTIL_SILENT) return false;
      if (record.until > now) return true;
      records.set(owner, { names: record.names, until: now + SILENT_MS });
      return false;
    },
    noteSilence(name, now) {
      const owner = ownerAbove(name);
      if (owner === undefined) return;
      const names = current(owner, now)?.names ?? new Set();
      if (names.size >= NAMES_UNTIL_SILENT) return;
      records.set(owner, { names: new Set([...names, name]), until: now + SILENT_MS });
    },
    noteAnswer(name) {
      const owner = ownerAbove(name);
      if (owner !== undefined && records.get(owner) !== undefined)
        records.set(owner, { names: new Set(), until: 0 });
    },
    clear: () => records.clear(),
  };
}

/** The owner's domain that `name` lies below; `undefined` for that domain itself. */
function ownerAbove(name: string): string | undefined {
  const owner = ownerDomain(name);
  return owner === name ? undefined : owner;
}
