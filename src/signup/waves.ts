/** Decides which finding a wave is, and what it weighs: one just found challenges, one that is sure blocks. */
import type { CampaignMark, CampaignMatch, CampaignScope } from '../model/campaign.ts';
import type { Evidence } from '../model/evidence.ts';

export type WaveDetector = 'wave_email' | 'wave_domain' | 'wave_network' | 'wave_address';

const NAME_MARKS: readonly CampaignMark[] = [
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
];
/** Factor of the base weight where the wave is sure: 40 becomes 75. */
const SURE = 75 / 40;

/** Places and marks of a wave that says only that many came together, as a burst does. */
const CROWD_SCOPES: readonly CampaignScope[] = ['domain', 'address', 'range', 'asn', 'account'];
const CROWD_MARKS: readonly CampaignMark[] = ['any', 'rate'];

export function waveApplies(detector: WaveDetector): (evidence: Evidence) => boolean {
  return ({ campaign, office }) => {
    if (campaign === null || detectorOf(campaign) !== detector) return false;
    return office === null || !isCrowd(campaign);
  };
}

/** A shared office explains such a wave, unless a person confirmed it. */
function isCrowd({ scope, mark, confirmed }: CampaignMatch): boolean {
  return !confirmed && CROWD_SCOPES.includes(scope) && CROWD_MARKS.includes(mark);
}

export function weighWave(base: number, { campaign }: Evidence): number {
  return campaign?.sure === true ? base * SURE : base;
}

/** The finding is named by what the members share. */
function detectorOf({ scope, mark }: CampaignMatch): WaveDetector {
  if (scope === 'address') return 'wave_address';
  if (scope === 'range' || scope === 'asn') return 'wave_network';
  if (scope === 'hosting') return NAME_MARKS.includes(mark) ? 'wave_email' : 'wave_network';
  if (scope === 'mailbox') return 'wave_domain';
  return scope === 'domain' && mark !== 'victims' ? 'wave_domain' : 'wave_email';
}
