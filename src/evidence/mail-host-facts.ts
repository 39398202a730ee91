/** Decides what a mail host's name alone says: shared by strangers, a relay's, or the property of a listed domain. */
import type { Intel } from '../intel/intel.ts';
import { type Association, relayed } from './mail-host-association.ts';
import { hostKey } from './mail-host-decisions.ts';
import { createHostNames } from './mail-host-names.ts';
import { listedEntry } from './mail-host-served-domain.ts';
import { createTwoGenerationCache } from './two-generation-cache.ts';

export interface HostFacts {
  /** Also the hosts of consumer providers, which have other people's domains as well. */
  shared: boolean;
  /** What is said of the domains it serves, when it is a relay's. */
  readonly relay: Association | undefined;
  /** What it is remembered by. */
  readonly key: string;
  /** The snapshot that `shared` and `below` were read from. */
  snapshot: string;
  /** The listed disposable domain that the host belongs to, or empty. */
  below: string;
}

/** Remembers the facts of at most `capacity` hosts. */
export function createHostFacts(capacity: number): (host: string, intel: Intel) => HostFacts {
  const names = createHostNames();
  const recent = createTwoGenerationCache<HostFacts>(capacity);

  function add(host: string): HostFacts {
    const entry = names.relayEntry(host);
    const relay = entry === undefined ? undefined : relayed(entry);
    const facts = { shared: false, relay, key: hostKey(host), snapshot: '', below: '' };
    recent.set(host, facts);
    return facts;
  }

  return (host, intel) => {
    const facts = recent.get(host) ?? add(host);
    if (facts.snapshot !== intel.id) {
      const known = intel.domain(host);
      facts.snapshot = intel.id;
      facts.below = listedEntry(known) ?? '';
      facts.shared = names.isShared(host) || known.listed.consumer || known.listed.relay;
    }
    return facts;
  };
}
