/** Finds the signups of a wave: those that were judged as its members, and the newest of the earlier ones by which it was found. */
import type { Campaign } from '../model/campaign.ts';
import { hasCampaign } from '../model/fact-ids.ts';
import type { HistoryEntry, HistoryStore } from '../store/history-store.ts';
import type { StoredAssessment } from '../store/stored-assessment.ts';
import { hasGroupKey } from '../waves/member-keys.ts';
import { toStoredMember } from './stored-member.ts';

export interface WaveMembers {
  /** Newest first. */
  readonly rows: readonly HistoryEntry[];
  /** Whether there may be more: only so many signups of its time are read. */
  readonly partial: boolean;
}

/** Max. members, and max. signups among which they are looked for. */
export const MAX_MEMBERS = 5_000;
const MAX_SEARCHED = 20_000;
/** Time within which every service knows of an end. */
const FOLLOWS_MS = 2_000;
/** Time within which a wave is learned, also where the learner is behind: until then its members are judged without it. */
const LEARNED_MS = 600_000;
const DAY_MS = 86_400_000;

export async function findWaveMembers(
  store: Pick<HistoryStore, 'replayableAssessments'>,
  campaign: Campaign,
): Promise<WaveMembers> {
  const { accountId, id, since, openedAt, ended, scope, scopeText } = campaign;
  const to = ended === null ? Number.MAX_SAFE_INTEGER : ended.at + FOLLOWS_MS;
  const byMailbox = scope === 'mailbox' && scopeText !== '';
  const search = { mode: 'live', since, to, ...(byMailbox && { mailbox: scopeText }) } as const;
  const found: { readonly row: HistoryEntry; readonly isSure: boolean }[] = [];
  let searched = 0;
  for await (const chunk of store.replayableAssessments(accountId, search, MAX_SEARCHED)) {
    searched += chunk.length;
    for (const { row, stored } of chunk) {
      const isJudged = hasCampaign(stored.facts, id);
      if (isJudged || (row.at < openedAt + LEARNED_MS && isEarlyMember(stored, campaign)))
        found.push({ row, isSure: isJudged || row.at >= openedAt - DAY_MS });
    }
    if (found.length >= MAX_MEMBERS) break;
  }
  // Others had its pattern weeks before: it counts the members of the last days, so only the newest are its own.
  let older = campaign.members - found.filter(({ isSure }) => isSure).length;
  const rows = found.filter(({ isSure }) => isSure || older-- > 0).map(({ row }) => row);
  return {
    rows: rows.slice(0, MAX_MEMBERS),
    partial: found.length >= MAX_MEMBERS || searched >= MAX_SEARCHED,
  };
}

/** Whether it would have been a member, had the wave been known. */
function isEarlyMember(stored: StoredAssessment, { key, scope, scopeText }: Campaign): boolean {
  const { emailDomain } = stored;
  const hasDomain = (scope === 'domain' || scope === 'provider') && scopeText !== '';
  // Most signups need not be read.
  if (hasDomain && emailDomain !== scopeText && !emailDomain.endsWith(`.${scopeText}`)) return false;
  const member = toStoredMember(stored);
  return member !== null && hasGroupKey(member, key, scope);
}
