/** Decides how many mail hosts count for one owner in a day: a zone that answers for every name has no end of them. */
import { hostKey } from './mail-host-decisions.ts';
import { createTwoGenerationCache } from './two-generation-cache.ts';

export interface HostLimit {
  /** Whether the host is among the first few of the owner's day. `domain`: any name of the owner. */
  admits(domain: string, host: string): boolean;
}

export interface HostLimitOptions {
  readonly maxHosts: number;
  /** Owners remembered at most, `maxHosts` hosts each. */
  readonly capacity: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

interface OwnerDay {
  readonly hosts: Set<string>;
  readonly until: number;
}

const DAY_MS = 86_400_000;

export function createHostLimit({ maxHosts, capacity, clock }: HostLimitOptions): HostLimit {
  const owners = createTwoGenerationCache<OwnerDay>(capacity);
  return {
    admits(domain, host) {
      const key = hostKey(domain);
      let day = owners.get(key);
      if (day === undefined || day.until <= clock()) {
        day = { hosts: new Set(), until: clock() + DAY_MS };
        owners.set(key, day);
      }
      if (day.hosts.size >= maxHosts) return day.hosts.has(host);
      day.hosts.add(host);
      return true;
    },
  };
}
