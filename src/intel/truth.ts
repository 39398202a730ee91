/** Decides which claims hold when sources disagree about one name or address: the order of truth. */
import type { Fact, SourceInfo } from './sources.ts';

/**
 * In order: a voice silences the facts beside it, for the same name or address.
 * A relay forwards to a real mailbox, so it is neither throw-away nor a provider; a privacy relay's egress
 * is neither Tor, VPN, proxy nor hosting, even where a list says so. A vouched provider is never disposable
 * or spam. A disposable domain is no provider.
 */
const SILENCES: readonly (readonly [voice: Fact | 'vouched', silenced: readonly Fact[]])[] = [
  ['relay', ['disposable', 'consumer', 'tor', 'vpn', 'proxy', 'datacenter']],
  ['vouched', ['disposable', 'spam']],
  ['disposable', ['consumer']],
];

export interface Truth {
  /** The sources, as a mask, that say a fact. */
  of(fact: Fact): bigint;
  /**
   * The claims (a mask of sources) that hold for one name or address. `above`: the claims that hold for the
   * nearest listed parent of a name; they silence the same way, but are not inherited.
   */
  settle(claims: bigint, above?: bigint): bigint;
}

export function createTruth(sources: readonly Pick<SourceInfo, 'says' | 'vouched'>[]): Truth {
  const maskOf = (matches: (source: Pick<SourceInfo, 'says' | 'vouched'>) => boolean): bigint =>
    sources.reduce((mask, source, bit) => (matches(source) ? mask | (1n << BigInt(bit)) : mask), 0n);
  const of = (fact: Fact): bigint => maskOf((source) => source.says === fact);
  const rules = SILENCES.map(([voice, silenced]) => ({
    voice: voice === 'vouched' ? maskOf((source) => source.vouched) : of(voice),
    silenced: silenced.reduce((mask, fact) => mask | of(fact), 0n),
  }));

  return {
    of,
    settle(claims, above = 0n) {
      let own = claims;
      let parents = above;
      for (const { voice, silenced } of rules) {
        if (((own | parents) & voice) === 0n) continue;
        own &= ~silenced;
        parents &= ~silenced;
      }
      return own;
    },
  };
}
