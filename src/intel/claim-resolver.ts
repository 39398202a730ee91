/** Decides which claims hold when sources disagree about one name or address: the order of truth. */
import type { Category, SourceInfo } from '../model/source.ts';
import { OWN_ORIGIN } from './sources.ts';

/** What silences: a fact, or the sources whose names are vouched for. */
export type Override = 'relay' | 'corporate' | 'vouched' | 'not_disposable' | 'disposable' | 'consumer';

interface Silence {
  readonly voice: Override;
  readonly silenced: readonly Category[];
  /** Our own lists are believed all the same. */
  readonly exceptOwn?: true;
}

/**
 * In order: a voice silences the facts beside it, for the same name or address.
 * - A relay forwards to a real mailbox, so it is neither throw-away nor a provider nor spam; a privacy relay's
 *   egress is neither Tor, VPN, proxy nor hosting, even where a list says so.
 * - A corporate security proxy stands before people at their desks: it hides nobody and hosts nothing.
 * - A vouched provider is never disposable or spam.
 * - What is known to be wrongly reported as disposable is not, unless our own list says so.
 * - A disposable domain is no provider; what is still a provider then is no spammer.
 * Tor, VPN, proxy and hosting stand side by side: which of them weighs is the policy's business.
 */
const SILENCES: readonly Silence[] = [
  { voice: 'relay', silenced: ['disposable', 'consumer', 'spam', 'tor', 'vpn', 'proxy', 'datacenter'] },
  { voice: 'corporate', silenced: ['tor', 'vpn', 'proxy', 'datacenter'] },
  { voice: 'vouched', silenced: ['disposable', 'spam'] },
  { voice: 'not_disposable', silenced: ['disposable'], exceptOwn: true },
  { voice: 'disposable', silenced: ['consumer'] },
  { voice: 'consumer', silenced: ['spam'] },
];

/** They take nothing away: `domains/dispute.ts` settles what they come to. */
const ONLY_DISPUTE: readonly Category[] = ['known', 'mistyped', 'popular'];

type Speaker = Pick<SourceInfo, 'says' | 'vouched' | 'origin'>;

export interface ClaimResolver {
  /**
   * The claims (a mask of sources) that hold for one name or address. `above`: the claims that hold for the
   * nearest listed parent of a name; they silence the same way, but are not inherited.
   */
  settle(claims: bigint, above?: bigint): bigint;
  /** What silences the claim of one source (its place) among these; `undefined` when it holds. */
  silencerOf(source: number, claims: bigint, above?: bigint): Override | undefined;
}

/** The places of the sources that match, as a mask. */
export function maskOf<Source>(sources: readonly Source[], matches: (source: Source) => boolean): bigint {
  return sources.reduce((mask, source, at) => (matches(source) ? mask | (1n << BigInt(at)) : mask), 0n);
}

export function createClaimResolver(sources: readonly Speaker[]): ClaimResolver {
  const rules = SILENCES.map(({ voice, silenced, exceptOwn = false }) => ({
    name: voice,
    voice: maskOf(sources, (source) => (voice === 'vouched' ? source.vouched : source.says === voice)),
    silenced: maskOf(
      sources,
      ({ says, origin }) => silenced.includes(says) && !(exceptOwn && origin.startsWith(OWN_ORIGIN)),
    ),
  }));
  const guards = maskOf(sources, ({ says }) => says === 'not_disposable');
  const guarded = maskOf(sources, ({ says }) => says === 'disposable');
  const witnesses = maskOf(sources, ({ says }) => ONLY_DISPUTE.includes(says));

  /** Calls `onSilence` with what each rule takes away. */
  const apply = (
    claims: bigint,
    above: bigint,
    onSilence?: (voice: Override, taken: bigint) => void,
  ): bigint => {
    let own = claims;
    let parents = above;
    for (const { name, voice, silenced } of rules) {
      if (((own | parents) & voice) === 0n) continue;
      onSilence?.(name, own & silenced);
      own &= ~silenced;
      parents &= ~silenced;
    }
    return own;
  };

  return {
    settle(claims, above = 0n) {
      const holds = apply(claims, above);
      // What only speaks against a listing says nothing without one, and must not hide what a parent says.
      const guarding = (holds & guards) !== 0n && (above & guarded) !== 0n;
      return guarding || (holds & ~guards & ~witnesses) !== 0n ? holds : 0n;
    },
    silencerOf(source, claims, above = 0n) {
      const bit = 1n << BigInt(source);
      let silencer: Override | undefined;
      apply(claims, above, (voice, taken) => {
        if ((taken & bit) !== 0n) silencer ??= voice;
      });
      return silencer;
    },
  };
}
