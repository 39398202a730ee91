/** A wave of signups by one hand, as it is stored, and what an attempt that belongs to it carries. */

/** Place where members meet. */
export const CAMPAIGN_SCOPES = [
  'domain',
  'provider',
  'fresh_domains',
  'mail_host',
  'range',
  'address',
  'asn',
  'hosting',
  'mailbox',
  'account',
] as const;
export type CampaignScope = (typeof CAMPAIGN_SCOPES)[number];

/** Property that members share there. `any`: everybody of the scope is a member. */
export const CAMPAIGN_MARKS = [
  'any',
  'generated',
  'random',
  'length',
  'mixed',
  'mask',
  'form',
  'manner',
  'words',
  'stem',
  'strange',
  'sub_domains',
  'mailbox',
  'victims',
  'rate',
] as const;
export type CampaignMark = (typeof CAMPAIGN_MARKS)[number];

/** Kinds of evidence that are independent of each other. */
export const CAMPAIGN_FAMILIES = ['names', 'domain', 'network', 'time', 'mailbox'] as const;
export type CampaignFamily = (typeof CAMPAIGN_FAMILIES)[number];

export const CAMPAIGN_STATES = ['open', 'ended'] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

/** `silence`: nobody came for long. `good_reports`: members were reported as good customers. */
export const CAMPAIGN_ENDS = ['silence', 'person', 'good_reports'] as const;
export type CampaignEnd = (typeof CAMPAIGN_ENDS)[number];

/** `dismissed`: these are our people; nothing with this key opens again. */
export const CAMPAIGN_DECISIONS = ['', 'confirmed', 'dismissed'] as const;
export type CampaignDecision = (typeof CAMPAIGN_DECISIONS)[number];

/** Part of a campaign that is learned from signups. Times are milliseconds since the epoch. */
export interface LearnedCampaign {
  /** `campaignId` of account, key and `openedAt`: to learn the same again writes the same row. */
  readonly id: string;
  readonly accountId: string;
  /** Look-up key of scope and mark, 16 hex digits; an account has one open campaign with it at most. */
  readonly key: string;
  readonly scope: CampaignScope;
  /** `postfarm.example`, `203.0.113.0/24`, `AS64500`; empty where the scope has no name of its own, and once it was erased. */
  readonly scopeText: string;
  readonly mark: CampaignMark;
  /** `l8d4`, `12`; never a readable part of an address. */
  readonly markText: string;
  /** Signups that belong to it, those from before it opened included. */
  readonly members: number;
  /** Members that were challenged or blocked. */
  readonly stopped: number;
  /** Members that were allowed. */
  readonly letIn: number;
  /** Share of people of the scope who have the mark otherwise, 0 … 1; stored to the millionth. */
  readonly usual: number;
  /** Chance makes it once in 10^decades; stored to the tenth. */
  readonly decades: number;
  /** Families that agree, in the order of `CAMPAIGN_FAMILIES`. */
  readonly families: readonly CampaignFamily[];
  /** Distinct networks that members came from since it opened, at most 256. */
  readonly networks: number;
  /** Members that came from hosting. */
  readonly hosting: number;
  /** The first member's time; of a wave that came again, the first one of all. */
  readonly since: number;
  readonly openedAt: number;
  /** The newest member's time. */
  readonly lastAt: number;
}

export interface Campaign extends LearnedCampaign {
  /** Members that were reported as good customers, not counting passed challenges: a program passes them, too. */
  readonly goodReports: number;
  /** Members that were reported as fraud. */
  readonly fraudReports: number;
  /** Members who confirmed their address. */
  readonly verified: number;
  /** Members whose address bounced. */
  readonly bounced: number;
  readonly state: CampaignState;
  /** `null` while it is open. */
  readonly ended: { readonly at: number; readonly by: string; readonly reason: CampaignEnd } | null;
  readonly decision: CampaignDecision;
  /** `null` without a decision. */
  readonly decidedAt: number | null;
  readonly decidedBy: string;
  /** Any string. */
  readonly decidedNote: string;
}

/** Name of a campaign in the facts of its members; `blankPersonalData` and searches know it. */
export const CAMPAIGN_FACT = 'campaign';

/** Scopes whose name is a network of a member. */
export const NETWORK_SCOPES: readonly CampaignScope[] = ['range', 'address'];

/** Decision of a person about a campaign. `reopen` takes back the others: open, without a decision. */
export const CAMPAIGN_ACTIONS = ['confirm', 'dismiss', 'end', 'reopen'] as const;
export type CampaignAction = (typeof CAMPAIGN_ACTIONS)[number];

/** The open campaign that an attempt belongs to, as it is stored with the assessment. */
export interface CampaignMatch
  extends Pick<
    Campaign,
    'id' | 'scope' | 'scopeText' | 'mark' | 'markText' | 'usual' | 'decades' | 'families'
  > {
  /** Signups that belong to it, this one included. */
  readonly members: number;
  /** Sure enough to block. */
  readonly sure: boolean;
  /** A person confirmed it. */
  readonly confirmed: boolean;
}

/** Bounds from which on a campaign is sure without a person; where many bounced, fewer members are enough. */
const SURE = { families: 2, members: 20, bouncedMembers: 10, decades: 12 } as const;
/** Members that bounced, in number and as a share, from which on they support a campaign. */
const BOUNCED = { members: 5, share: 0.2 } as const;
/** Min. share of members with a confirmed address at which a campaign challenges, and blocks nobody. */
const VERIFIED_SHARE = 0.5;
/** Places where who makes the signups may own the mailboxes too, and confirms what he likes. */
const OWN_MAILBOXES: readonly CampaignScope[] = ['domain', 'fresh_domains', 'mail_host', 'mailbox'];

/** The facts that say how sure a campaign is; without what people said of it, nobody said anything. */
type Sureness = Pick<Campaign, 'families' | 'members' | 'decades'> &
  Partial<Pick<Campaign, 'decision' | 'goodReports' | 'scope' | 'verified' | 'bounced'>>;

/**
 * Whether a campaign may block: a person confirmed it, or it leaves no room for chance and nobody vouched for a member. Outcomes
 * decide nothing alone: bounces only bring forward what the odds say, and who confirmed an address is challenged, not blocked.
 */
export function isSure(campaign: Sureness): boolean {
  const { decision, families, members, decades, goodReports = 0, verified = 0, bounced = 0 } = campaign;
  if (decision === 'confirmed') return true;
  const { scope } = campaign;
  const isVerified = verified >= members * VERIFIED_SHARE && verified > 0;
  if (isVerified && scope !== undefined && !OWN_MAILBOXES.includes(scope)) return false;
  const isBouncing = bounced >= BOUNCED.members && bounced >= members * BOUNCED.share;
  const isLarge = members >= (isBouncing ? SURE.bouncedMembers : SURE.members) && decades >= SURE.decades;
  return isLarge && families.length >= SURE.families && goodReports === 0;
}

/** Orders the campaigns that one signup belongs to, the surest first. */
export function compareCampaigns(a: Sureness, b: Sureness): number {
  const sure = Number(isSure(b)) - Number(isSure(a));
  return sure || b.families.length - a.families.length || b.members - a.members;
}
