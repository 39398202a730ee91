/** Decides which shared office would explain a signup that was stopped for a burst: the narrowest one. */
import { networkOf, parseIp } from '../address/ip.ts';
import type { Evidence } from '../model/evidence.ts';
import type { Finding } from '../model/finding.ts';
import { joinDomainNetwork } from '../model/list-entry.ts';
import { setAsideBy } from './set-aside.ts';

const PREFIX = '/64';

/**
 * The value of the entry; `null` where the main finding is none that an office explains, where there is no IP, and where the
 * account's lists decide already. People of a domain that strangers share are no company: there, it is the place alone.
 * @param findings heaviest first
 */
export function officeOfferOf(evidence: Evidence, findings: readonly Finding[]): string | null {
  const { email, ip, list, office } = evidence;
  const [main] = findings;
  const address = ip === null ? undefined : parseIp(ip.address);
  if (main === undefined || address === undefined || list !== null || office !== null) return null;
  const value = address.version === 6 ? `${networkOf(address)}${PREFIX}` : address.text;
  const explained = setAsideBy({ ...evidence, office: { id: '', kind: 'ip', value, reason: null } });
  if (!explained.some(({ detector }) => detector === main.detector)) return null;
  const isShared = email.consumer || email.relay || email.strangers || email.sharedSuffix !== '';
  return isShared ? value : joinDomainNetwork(email.domain, value);
}
