/** Decides how many mail hosts the names below one domain may teach: a zone that answers for every name has no end of them. */
import { createTwoGenerationCache } from '../two-generation-cache.ts';
import { hostKey } from './host-decisions.ts';

export interface TaughtHosts {
  /** Whether something may be learned of this host from this domain, and asked for: the first few hosts of a day. */
  admits(domain: string, host: string): boolean;
}

interface Owner {
  readonly hosts: Set<string>;
  readonly until: number;
}

const MAX_HOSTS = 16;
const DAY_MS = 86_400_000;
/** Owners remembered at most, 16 hosts each. */
const CAPACITY = 10_000;

/** @param clock milliseconds since the epoch */
export function createTaughtHosts(clock: () => number, capacity = CAPACITY): TaughtHosts {
  const owners = createTwoGenerationCache<Owner>(capacity);
  return {
    admits(domain, host) {
      const key = hostKey(domain);
      let owner = owners.get(key);
      if (owner === undefined || owner.until <= clock()) {
        owner = { hosts: new Set(), until: clock() + DAY_MS };
        owners.set(key, owner);
      }
      if (owner.hosts.size >= MAX_HOSTS) return owner.hosts.has(host);
      owner.hosts.add(host);
      return true;
    },
  };
}
