// Where signups come from: homes in many countries, hosting, VPNs, Tor, relays; all in networks that the intelligence knows.
import { readFileSync } from 'node:fs';

const NETWORKS = JSON.parse(readFileSync(new URL('networks.json', import.meta.url), 'utf8'));
const HOMES = NETWORKS.homes.map(({ weight, blocks }) => [blocks, weight]);

export function createAddresses(random) {
  const last = () => random.between(2, 253);
  const inBlock = (block) =>
    block.split('.').length === 3 ? `${block}.${last()}` : `${block}.${last()}.${last()}`;
  const hex = () => random.below(0x10000).toString(16);
  const tor = NETWORKS.tor.flatMap((block) => Array.from({ length: 12 }, () => inBlock(block)));
  const proxies = Array.from({ length: 80 }, () => inBlock(random.pick(random.weighted(HOMES))));
  const abusive = Array.from({ length: 60 }, () => inBlock(random.pick(NETWORKS.hosting)));
  return {
    home: () => inBlock(random.pick(random.weighted(HOMES))),
    home6: () => `${random.pick(NETWORKS.homes6)}:${hex()}:${hex()}::${hex()}`,
    hosting: () => inBlock(random.pick(NETWORKS.hosting)),
    vpn: () => inBlock(random.pick(NETWORKS.vpn)),
    tor: () => random.pick(tor),
    proxy: () => random.pick(proxies),
    abusive: () => random.pick(abusive),
    relay: () => inBlock(random.pick(NETWORKS.relay)),
    campaign: () => `${NETWORKS.campaign}.${random.between(16, 47)}`,
    campaignBlock: `${NETWORKS.campaign}.0/24`,
    /** The addresses that feeds list. */
    listed: {
      tor,
      proxies,
      abusive,
      vpn: NETWORKS.vpn.map((block) => `${block}.0/24`),
      relay: NETWORKS.relay.map((block) => `${block}.0.0/16`),
    },
  };
}
