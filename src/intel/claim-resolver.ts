/** Decides which claims are effective when sources disagree about one name or address: which category overrides which. */
import type { Category, SourceInfo } from '../model/source.ts';
import { OWN_ORIGIN } from './sources.ts';

/** The cause that overrides other claims: a category, or the sources whose names are vouched for. */
export type Override = 'relay' | 'corporate' | 'vouched' | 'not_disposable' | 'disposable' | 'consumer';

interface OverrideRule {
  readonly override: Override;
  readonly overridden: readonly Category[];
  /** Does not override our own lists. */
  readonly exceptOwn?: true;
}

/**
 * Rules in order, for claims about the same name or address:
 * - A relay forwards to a real mailbox, so it is not disposable, not a provider and not spam; the addresses that a
 *   privacy relay sends from are not Tor, VPN, proxy or hosting, even if a list says so.
 * - A corporate security proxy is used by people at work: it hides nobody and hosts nothing.
 * - A vouched provider is never disposable or spam.
 * - A domain that is known to be reported wrongly is not disposable, unless our own list says so.
 * - A disposable domain is not a provider; a domain that is still a provider after that is not spam.
 * Tor, VPN, proxy and hosting do not override each other: the policy decides which of them weighs.
 */
const OVERRIDE_RULES: readonly OverrideRule[] = [
  { override: 'relay', overridden: ['disposable', 'consumer', 'spam', 'tor', 'vpn', 'proxy', 'datacenter'] },
  { override: 'corporate', overridden: ['tor', 'vpn', 'proxy', 'datacenter'] },
  { override: 'vouched', overridden: ['disposable', 'spam'] },
  { override: 'not_disposable', overridden: ['disposable'], exceptOwn: true },
  { override: 'disposable', overridden: ['consumer'] },
  { override: 'consumer', overridden: ['spam'] },
];

/** Categories that override nothing: `domain-dispute.ts` decides what follows from them. */
const ONLY_DISPUTE: readonly Category[] = ['known', 'mistyped', 'popular'];

type ResolvedSource = Pick<SourceInfo, 'category' | 'vouched' | 'origin'>;

export interface ClaimResolver {
  /**
   * The effective ones among the claims (a mask of sources) about one name or address. @param above the effective
   * claims about the nearest listed parent of a name; they override in the same way, but are not inherited
   */
  resolve(claims: bigint, above?: bigint): bigint;
  /** Finds what overrides the claim of one source (its place) among these; `undefined` when the claim is effective. */
  overrideOf(source: number, claims: bigint, above?: bigint): Override | undefined;
}

/** The places of the sources that match, as a mask. */
export function maskOf<Source>(sources: readonly Source[], matches: (source: Source) => boolean): bigint {
  return sources.reduce((mask, source, at) => (matches(source) ? mask | (1n << BigInt(at)) : mask), 0n);
}

export function createClaimResolver(sources: readonly ResolvedSource[]): ClaimResolver {
  const rules = OVERRIDE_RULES.map(({ override, overridden, exceptOwn = false }) => ({
    override,
    overriding: maskOf(sources, (source) =>
      override === 'vouched' ? source.vouched : source.category === override,
    ),
    overridden: maskOf(
      sources,
      ({ category, origin }) =>
        overridden.includes(category) && !(exceptOwn && origin.startsWith(OWN_ORIGIN)),
    ),
  }));
  const guards = maskOf(sources, ({ category }) => category === 'not_disposable');
  const guarded = maskOf(sources, ({ category }) => category === 'disposable');
  const disputeSources = maskOf(sources, ({ category }) => ONLY_DISPUTE.includes(category));

  /** Calls `onOverride` with the claims that each rule removes. */
  const apply = (
    claims: bigint,
    above: bigint,
    onOverride?: (override: Override, removed: bigint) => void,
  ): bigint => {
    let own = claims;
    let parents = above;
    for (const { override, overriding, overridden } of rules) {
      if (((own | parents) & overriding) === 0n) continue;
      onOverride?.(override, own & overridden);
      own &= ~overridden;
      parents &= ~overridden;
    }
    return own;
  };

  return {
    resolve(claims, above = 0n) {
      const effective = apply(claims, above);
      // A claim that only contradicts a listing means nothing without one, and must not hide what a parent says.
      const guarding = (effective & guards) !== 0n && (above & guarded) !== 0n;
      return guarding || (effective & ~guards & ~disputeSources) !== 0n ? effective : 0n;
    },
    overrideOf(source, claims, above = 0n) {
      const bit = 1n << BigInt(source);
      let found: Override | undefined;
      apply(claims, above, (override, removed) => {
        if ((removed & bit) !== 0n) found ??= override;
      });
      return found;
    },
  };
}
