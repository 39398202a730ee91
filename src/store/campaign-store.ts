/** The port for campaigns: waves of signups that were learned, what people decided about them, and reports of their members. */
import type { Label } from '../contract/dashboard-assessments.ts';
import type { Campaign, CampaignAction, CampaignState, LearnedCampaign } from '../model/campaign.ts';
import type { AuditEntries } from './audit-store.ts';

export interface CampaignDecisionChange {
  readonly action: CampaignAction;
  readonly by: string;
  /** Any string. */
  readonly note: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Report of a member. A challenge that was passed is no report. */
export interface CampaignReport {
  readonly campaignId: string;
  readonly accountId: string;
  readonly requestId: string;
  /** `null`: the report was taken back. */
  readonly outcome: Label | null;
  readonly at: number;
}

export interface CampaignPage {
  readonly campaigns: readonly Campaign[];
  /** Pass it as `after` for the next page; `null` at the end. */
  readonly next: string | null;
}

export interface CampaignStore {
  /**
   * Saves what was learned, by id. Counts of members never shrink; everything that people decided or reported stays, and so
   * does an end.
   * @returns the campaign as it is stored now; `undefined` where nothing was saved: it has ended, or the account has another
   * with its key that is open or dismissed
   * @throws when there is no such account
   */
  saveLearned(learned: LearnedCampaign): Promise<Campaign | undefined>;
  /** Ends an open campaign whose newest member, as stored, is not newer than `lastAt`. */
  endSilent(
    id: string,
    ended: { readonly lastAt: number; readonly at: number },
  ): Promise<Campaign | undefined>;
  /**
   * Dismissing and ending close it; confirming opens it again, and so does `reopen`, which also takes the decision back.
   * @returns the campaign afterwards; `undefined` where nothing changed: the account has none with this id, it had ended
   * before it was to be ended, or another one with its key is open
   */
  decideCampaign(
    accountId: string,
    id: string,
    change: CampaignDecisionChange,
    ...audit: AuditEntries
  ): Promise<Campaign | undefined>;
  /**
   * Puts the decision and the end that a campaign had before a decision back.
   * @param decidedAt time of the decision that is taken back
   * @returns the campaign afterwards; `undefined` where nothing changed: somebody decided since, or another one with its key is
   * open
   */
  restoreDecision(before: Campaign, decidedAt: number, ...audit: AuditEntries): Promise<Campaign | undefined>;
  /**
   * Counts a report once for each member, the newest one. Reports of good customers end an open campaign that nobody
   * confirmed; when they are changed so that too few are left, it opens again.
   * @returns the campaign afterwards; `undefined` where the account has none with this id
   */
  saveCampaignReport(report: CampaignReport): Promise<Campaign | undefined>;
  findCampaign(accountId: string, id: string): Promise<Campaign | undefined>;
  /** Newest first, by the time when they opened. */
  campaigns(
    accountId: string,
    filter: {
      readonly state?: CampaignState | undefined;
      readonly after?: string | null;
      readonly limit: number;
    },
  ): Promise<CampaignPage>;
  /** Grows with every change of a campaign or a usual domain, by any process. Cheap: asked several times a second. */
  campaignsVersion(): Promise<number>;
  /** Campaigns that were saved after a version; lets other work go on between many. Removed ones are not named. */
  campaignChangesSince(version: number): AsyncIterable<Campaign>;
  /** Blanks the names of their scopes, which may be data of a person. */
  blankCampaignScopes(ids: readonly string[]): Promise<void>;
  /** Blanks the names of networks whose last member is older. @returns how many */
  blankOldCampaigns(before: number, maxBlanked: number): Promise<number>;
  /** Removes ended campaigns whose last member is older, but not what people dismissed. @returns how many */
  pruneCampaigns(before: number, maxPruned: number): Promise<number>;
}
