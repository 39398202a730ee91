/** Makes the judge of one recall: with the lists, feeds, waves, labels and policy that are in force now. */
import type { Directory } from '../../accounts/directory.ts';
import { domainSets, readDomainOutcomes } from '../../evidence/domain-outcomes.ts';
import { createGatherStored, type GatherStoredOptions } from '../../evidence/gather-stored.ts';
import { goodDomains } from '../../evidence/good-reports.ts';
import { readReports } from '../../evidence/stored-reports.ts';
import type { HistoryStore } from '../../store/history-store.ts';
import type { OutcomeStore } from '../../store/outcome-store.ts';
import { effectiveWeights } from '../account-policy.ts';
import { createJudgeAgain, type JudgeAgain } from './judge-again.ts';

export interface MakeJudgeOptions extends Omit<GatherStoredOptions, 'goodReports' | 'outcomes'> {
  readonly store: Pick<HistoryStore, 'reportedMistakes'> & Pick<OutcomeStore, 'domainOutcomes'>;
  readonly directory: Pick<Directory, 'policyOf' | 'thresholdsOf'>;
}

/** @param now milliseconds since the epoch */
export async function makeJudge(
  { store, directory, ...options }: MakeJudgeOptions,
  account: string,
  now: number,
): Promise<JudgeAgain> {
  const good = goodDomains(await readReports(store, account, now));
  const { known, bouncing } = domainSets(await readDomainOutcomes(store, account, now));
  const gatherStored = createGatherStored({
    ...options,
    goodReports: { isGood: (asker, domain) => asker === account && good.has(domain) },
    outcomes: {
      isKnown: (asker, domain) => asker === account && known.has(domain),
      isBouncing: (asker, domain) => asker === account && bouncing.has(domain),
    },
  });
  const policyOf = (accountId: string, keyId: string) => ({
    ...effectiveWeights(directory.policyOf(accountId)),
    thresholds: directory.thresholdsOf(accountId, keyId),
  });
  return createJudgeAgain({ gatherStored, policyOf });
}
