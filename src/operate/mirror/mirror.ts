/** Wires the comparison with another service: installed intelligence and one account's rules, counters of its own, nothing stored. */
import { randomBytes } from 'node:crypto';
import { type AddressHashes, createAddressHashes } from '../../address/fingerprint.ts';
import type { Config } from '../../config/config.ts';
import { createGather, type GatherOptions } from '../../evidence/gather.ts';
import { type AccountLists, createAccountLists } from '../../evidence/list-accounts.ts';
import type { Intel } from '../../intel/intel.ts';
import type { Evidence } from '../../model/evidence.ts';
import { DEFAULT_THRESHOLDS, type Policy, type Thresholds, type Weights } from '../../model/policy.ts';
import { effectiveWeights, overlay } from '../../signup/account-policy.ts';
import { createAgreement } from '../../signup/agreement.ts';
import { createJudgePastSignup, type JudgePastSignup } from '../../signup/past-signup.ts';
import type { Store } from '../../store/store.ts';
import { createMemoryCounters } from '../../velocity/memory/memory.ts';
import { createWaveReplay } from '../../waves/wave-replay.ts';
import { openIntel } from '../../wiring/intel.ts';
import { openPastSources } from '../past-sources.ts';

export type { Agreement, AgreementMatrix, DisagreementGroup } from '../../signup/agreement.ts';
export type { JudgePastSignup, PastJudgement, PastSignup, WhyVerdict } from '../../signup/past-signup.ts';

/** Rules of an account that decide about its signups. */
export interface MirrorRules {
  /** `null`: the defaults, without own lists. */
  readonly account: { readonly id: string; readonly name: string } | null;
  readonly policy: Policy;
  readonly lists: Pick<AccountLists, 'find' | 'findOffice'>;
  readonly hashes: AddressHashes;
}

export interface MirrorOptions {
  readonly rules: MirrorRules;
  /** Ask for the mail exchange of every domain, as it is today. */
  readonly dns: boolean;
}

export function defaultRules(): MirrorRules {
  return {
    account: null,
    policy: { ...effectiveWeights(null), thresholds: DEFAULT_THRESHOLDS },
    lists: { find: () => null, findOffice: () => null },
    hashes: createAddressHashes([randomBytes(32)]),
  };
}

/** Reads the rules of an account from the store, which is only read. */
export async function readRules(
  store: Store,
  addressHashes: AddressHashes,
  account: { readonly id: string; readonly name: string; readonly thresholds: Thresholds | null },
): Promise<MirrorRules> {
  const [policy = null] = await store.policies(account.id);
  const lists = createAccountLists(store, addressHashes.older);
  await lists.refresh();
  return {
    account: { id: account.id, name: account.name },
    policy: { ...effectiveWeights(policy), thresholds: account.thresholds ?? DEFAULT_THRESHOLDS },
    // The current entries, as for the next signup.
    lists: {
      find: (subject, network) => lists.find({ ...subject, at: Date.now() }, network),
      findOffice: (subject, network) => lists.findOffice({ ...subject, at: Date.now() }, network),
    },
    hashes: addressHashes,
  };
}

/** The rules with other weights for some detectors. @throws for a detector that does not exist */
export function withWeights(rules: MirrorRules, changes: Weights): MirrorRules {
  const unknown = Object.keys(changes).find((detector) => !(detector in rules.policy.weights));
  if (unknown !== undefined) throw new Error(`there is no detector ${unknown}; docs/scoring.md lists them`);
  return { ...rules, policy: { ...rules.policy, weights: overlay(rules.policy.weights, changes) } };
}

/** `Example`: the kept part of the first signup of each group of disagreement. */
export async function openMirror<Example>(config: Config, { rules, dns }: MirrorOptions) {
  const clock = Date.now;
  const intel = await openIntel(config);
  const { sources, notChecked, close } = openPastSources(config, { dns, clock });
  const judge = createReplayJudge({ rules, intel, sources, clock });
  return {
    judge,
    agreement: createAgreement<Example>(),
    snapshot: intel.id,
    notChecked,
    close,
  };
}

export interface ReplayOptions {
  readonly rules: MirrorRules;
  readonly intel: Intel;
  readonly sources: Omit<GatherOptions, 'intel' | 'ownLists'>;
  /** Milliseconds since the epoch, for signups without a time. */
  readonly clock: () => number;
  /** Called with the evidence of each signup, in their order. */
  readonly onEvidence?: (evidence: Evidence) => void;
}

/** Judges signups with counters and a learner of waves of its own, in memory. */
export function createReplayJudge({
  rules,
  intel,
  sources,
  clock,
  onEvidence,
}: ReplayOptions): JudgePastSignup {
  const counters = createMemoryCounters();
  const waves = createWaveReplay();
  return createJudgePastSignup({
    gather: createGather({
      ...sources,
      intel: () => intel,
      ownLists: rules.lists,
      campaigns: waves,
      mailboxes: waves,
    }),
    onJudged(subject, evidence, verdict) {
      waves.learn(subject, evidence, verdict);
      onEvidence?.(evidence);
    },
    count(event) {
      const { counted } = counters.checkAndCount({
        bucket: event.account,
        window: null,
        credit: null,
        event,
      });
      if (counted === null) throw new Error('a signup without a rate limit was not counted');
      return counted;
    },
    hashes: rules.hashes,
    account: rules.account?.id ?? 'mirror',
    policy: rules.policy,
    clock,
  });
}
