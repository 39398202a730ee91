/** The findings of an entry of the account's own lists: none for an allow entry, the maximum score for a deny entry. */
import type { ReasonCode } from '../contract/reasons.ts';
import type { Finding } from '../model/finding.ts';
import type { ListMatch } from '../model/list-entry.ts';

const CODES: Record<ListMatch['kind'], ReasonCode> = {
  address: 'email_reputation',
  domain: 'email_reputation',
  ip: 'ip_reputation',
  cidr: 'ip_reputation',
  asn: 'ip_reputation',
  country: 'ip_reputation',
};

/** The account's own entry overrides every source: no other evidence counts. */
export function findListed({ action, kind, value, reason }: ListMatch): Finding<ReasonCode>[] {
  if (action === 'allow') return [];
  const because = reason === null ? '' : `: ${reason}`;
  const detail = `${value} is on the account’s Block list${because}`;
  return [{ detector: 'deny_list', code: CODES[kind], weight: 100, detail }];
}
