/** Gathers what is known of a public IP address from the intelligence snapshot. */
import type { IpAddress } from '../address/ip.ts';
import type { Intel } from '../intel/intel.ts';
import type { IpEvidence } from './evidence.ts';

/** Special ranges never reach this: an address is classified when it is read. */
export function gatherIp(address: IpAddress, intel: Intel): IpEvidence {
  const known = intel.network(address);
  return {
    address: address.text,
    tor: known.tor,
    vpn: known.vpn,
    proxy: known.proxy,
    relay: known.relay,
    datacenter: known.datacenter,
    abuseScore: known.abuseScore,
    countryCode: known.countryCode,
    country: known.country,
    asn: known.asn,
    hits: known.hits,
  };
}
