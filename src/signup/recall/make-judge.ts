/** Makes the judge of past signups of one account: with the lists, feeds, waves, labels and policy that are in force now. */
import type { Directory } from '../../accounts/directory.ts';
import { domainSets, readDomainOutcomes } from '../../evidence/domain-outcomes.ts';
import { createGatherStored, type GatherStoredOptions } from '../../evidence/gather-stored.ts';
import { goodDomains } from '../../evidence/good-reports.ts';
import { readReports } from '../../evidence/stored-reports.ts';
import type { HistoryStore } from '../../store/history-store.ts';
import type { OutcomeStore } from '../../store/outcome-store.ts';
import { effectiveWeights } from '../account-policy.ts';
import {
  createJudgeAgain,
  createVerdictNow,
  type JudgeAgain,
  type JudgeAgainOptions,
  type VerdictNow,
} from './judge-again.ts';

/** Knowledge of domains and networks. */
export type Snapshot = ReturnType<GatherStoredOptions['intel']>;

export interface MakeJudgeOptions extends Omit<GatherStoredOptions, 'goodReports' | 'outcomes'> {
  readonly store: Pick<HistoryStore, 'reportedMistakes'> & Pick<OutcomeStore, 'domainOutcomes'>;
  readonly directory: Pick<Directory, 'policyOf' | 'thresholdsOf'>;
}

/** @param now milliseconds since the epoch */
export async function makeJudge(
  options: MakeJudgeOptions,
  account: string,
  now: number,
): Promise<JudgeAgain> {
  return createJudgeAgain((await readParts(options, account, now))(options.intel));
}

/** Judges with several snapshots that have all else in common. */
export async function makeVerdicts<Snapshots extends Readonly<Record<string, Snapshot>>>(
  options: Omit<MakeJudgeOptions, 'intel'>,
  snapshots: Snapshots,
  account: string,
  now: number,
): Promise<{ readonly [Name in keyof Snapshots]: VerdictNow }> {
  const partsWith = await readParts(options, account, now);
  const judges = Object.entries(snapshots).map(([name, intel]) => [
    name,
    createVerdictNow(partsWith(() => intel)),
  ]);
  return Object.fromEntries(judges);
}

async function readParts(
  { store, directory, ...options }: Omit<MakeJudgeOptions, 'intel'>,
  account: string,
  now: number,
): Promise<(intel: () => Snapshot) => JudgeAgainOptions> {
  const good = goodDomains(await readReports(store, account, now));
  const { known, bouncing } = domainSets(await readDomainOutcomes(store, account, now));
  const facts: Pick<GatherStoredOptions, 'goodReports' | 'outcomes'> = {
    goodReports: { isGood: (asker, domain) => asker === account && good.has(domain) },
    outcomes: {
      isKnown: (asker, domain) => asker === account && known.has(domain),
      isBouncing: (asker, domain) => asker === account && bouncing.has(domain),
    },
  };
  const policyOf = (accountId: string, keyId: string) => ({
    ...effectiveWeights(directory.policyOf(accountId)),
    thresholds: directory.thresholdsOf(accountId, keyId),
  });
  return (intel) => ({ gatherStored: createGatherStored({ ...options, ...facts, intel }), policyOf });
}
