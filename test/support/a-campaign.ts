/** A campaign as it is learned, for tests that need only some of its fields. */
import { hash } from 'node:crypto';
import type { Campaign, CampaignMatch, LearnedCampaign } from '../../src/model/campaign.ts';
import { campaignId } from '../../src/waves/campaign-id.ts';

const MINUTE_MS = 60_000;
/** Lately: a running service ends a campaign whose last member came long ago. */
const SINCE = Date.now() - 10 * MINUTE_MS;
const KEY_DIGITS = 16;

/** Generated names at a domain. */
export function aLearnedCampaign(
  accountId: string,
  domain: string,
  fields: Partial<LearnedCampaign> = {},
): LearnedCampaign {
  const key = fields.key ?? hash('sha256', `domain ${domain}`).slice(0, KEY_DIGITS);
  const { since = SINCE } = fields;
  return {
    id: campaignId(accountId, key, since),
    accountId,
    key,
    scope: 'domain',
    scopeText: domain,
    mark: 'generated',
    markText: '',
    members: 9,
    stopped: 3,
    letIn: 6,
    usual: 0.0125,
    decades: 9.4,
    families: ['names', 'domain'],
    networks: 7,
    hosting: 2,
    since,
    openedAt: since + 5 * MINUTE_MS,
    lastAt: since + 9 * MINUTE_MS,
    ...fields,
  };
}

/** The same as it is stored at first. */
export function asOpened(learned: LearnedCampaign, fields: Partial<Campaign> = {}): Campaign {
  const undecided = { decision: '', decidedAt: null, decidedBy: '', decidedNote: '' } as const;
  return {
    ...learned,
    goodReports: 0,
    fraudReports: 0,
    verified: 0,
    bounced: 0,
    state: 'open',
    ended: null,
    ...undecided,
    ...fields,
  };
}

/** Members of an attempt that belongs to one. */
export function aMatch(fields: Partial<CampaignMatch> = {}): CampaignMatch {
  const { id, scope, scopeText, mark, markText, usual, decades, families } = aLearnedCampaign(
    'acc_a',
    'postfarm.example',
  );
  const learned = { id, scope, scopeText, mark, markText, usual, decades, families };
  return { ...learned, members: 9, sure: false, confirmed: false, ...fields };
}
