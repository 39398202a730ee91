/** Shows evidence as the contract's signals. */
import type { Signals } from '../contract/messages.ts';
import type { Evidence, IpEvidence } from '../model/evidence.ts';
import { isMailUnwanted } from './mail-unwanted.ts';

/** `local`: the part of the address before the `@`. */
export function toSignals(evidence: Evidence, local: string): Signals {
  const { email, ip, velocity } = evidence;
  const signals: Signals = {
    email: {
      disposable: email.disposable || email.disposableHost.name !== '',
      relay_domain: email.relay,
      spam_domain: email.spam,
      domain: email.domain,
      domain_age_days: email.age.days,
      // An outage of DNS must not turn people away: only proven faults make a domain invalid.
      mx_valid: email.mx.status === 'valid' || email.mx.status === 'unknown',
      mx_status: email.mx.status,
      public_domain: email.consumer,
      role_account: email.role,
    },
    velocity: {
      ip_signups_1h: velocity.ip1h,
      ip_signups_24h: velocity.ip24h,
      email_domain_1h: velocity.domain1h,
      email_domain_24h: velocity.domain24h,
    },
  };
  if (email.providerMeant !== '') signals.email.did_you_mean = `${local}@${email.providerMeant}`;
  if (isMailUnwanted(evidence)) signals.email.mail_unwanted = true;
  if (ip !== null) signals.ip = toIpSignals(ip);
  return signals;
}

function toIpSignals(ip: IpEvidence): NonNullable<Signals['ip']> {
  return {
    address: ip.address,
    tor: ip.tor,
    vpn: ip.vpn,
    proxy: ip.proxy,
    relay: ip.relay,
    datacenter: ip.datacenter,
    abuse_score: ip.abuseScore,
    country_code: ip.countryCode,
    country: ip.country,
    asn: `AS${ip.asn}`,
  };
}
