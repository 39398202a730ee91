/** Takes the networks and domains of erased people out of the campaigns that are named after them. */
import { alignBlock, parseBlock, writeBlock } from '../address/block.ts';
import { parseIp } from '../address/ip.ts';
import type { Campaign } from '../model/campaign.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { StoredAssessment } from '../store/stored-assessment.ts';
import { ownerOf } from './privacy-domains.ts';

const PER_PAGE = 200;
/** A /24 of IPv4 has many people's addresses; up to a /48 of IPv6 may be one household's. */
const HOUSEHOLD_BITS = 48;

/** @param isOwnDomain whether a domain is one that only erased people used */
export async function forgetCampaignScopes(
  store: Pick<CampaignStore, 'campaigns' | 'blankCampaignScopes'>,
  accountId: string,
  assessments: readonly Pick<StoredAssessment, 'ip' | 'network'>[],
  isOwnDomain: (owner: string) => boolean,
): Promise<void> {
  const isPersonal = createIsOwnScope(assessments, isOwnDomain);
  let after: string | null = null;
  do {
    const page = await store.campaigns(accountId, { after, limit: PER_PAGE });
    await store.blankCampaignScopes(page.campaigns.filter(isPersonal).map(({ id }) => id));
    after = page.next;
  } while (after !== null);
}

/** @returns whether a campaign is named after one of these people */
export function createIsOwnScope(
  assessments: readonly Pick<StoredAssessment, 'ip' | 'network'>[],
  isOwnDomain: (owner: string) => boolean,
): (campaign: Campaign) => boolean {
  const networks = new Set(assessments.flatMap(({ ip, network }) => [ip, network]));
  return ({ scope, scopeText }) => {
    if (scopeText === '') return false;
    if (scope === 'address') return networks.has(scopeText);
    if (scope === 'range') return isPersonalRange(networks, scopeText);
    return (scope === 'domain' || scope === 'mail_host') && isOwnDomain(ownerOf(scopeText));
  };
}

/** Whether a range is so narrow that it may be one household's, and one of these networks is in it. */
export function isPersonalRange(networks: ReadonlySet<string | null>, range: string): boolean {
  const block = parseBlock(range);
  if (block === undefined || block.bits < HOUSEHOLD_BITS) return false;
  return [...networks].some((network) => {
    const base = network === null ? undefined : parseIp(network.replace(/\/\d+$/, ''));
    return (
      base !== undefined &&
      writeBlock(alignBlock({ base, bits: block.bits })) === writeBlock(alignBlock(block))
    );
  });
}
