/** Gathers what is known of a public IP address from the intelligence snapshot, and from reputation services. */
import { isDocumentation } from '../address/ip.ts';
import type { Intel, NetworkKnowledge } from '../intel/intel.ts';
import type { IpEvidence } from '../model/evidence.ts';
import type { IpAddress } from '../model/signup-attempt.ts';
import { addAbuse, NO_REPUTATION, type Reputation, type ReputationLookup } from './reputation.ts';

/**
 * Special ranges never get here, except those for documentation: no service is asked about these.
 * @param reputation `undefined` without upstreams
 */
export async function gatherIp(
  address: IpAddress,
  intel: Intel,
  reputation: ReputationLookup<IpAddress> | undefined,
): Promise<IpEvidence> {
  const known = intel.network(address);
  if (reputation === undefined || isDocumentation(address)) return compose(address, known, NO_REPUTATION);
  return compose(address, known, await reputation.lookup(address));
}

function compose(address: IpAddress, known: NetworkKnowledge, reputation: Reputation): IpEvidence {
  const { listed } = known;
  return {
    address: address.text,
    tor: listed.tor,
    vpn: listed.vpn,
    proxy: listed.proxy,
    relay: listed.relay,
    datacenter: listed.datacenter,
    abuseScore: addAbuse(known.abuseScore, reputation),
    countryCode: known.countryCode,
    country: known.country,
    asn: known.asn,
    hits: reputation.hits.length === 0 ? known.hits : [...known.hits, ...reputation.hits],
    unknown: reputation.unknown,
  };
}
