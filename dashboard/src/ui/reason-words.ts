/** The short words for each reason, for tables and charts; the contract holds the whole meaning. */
import type { ReasonCode } from '../../../src/contract/reasons.ts';

export const REASON_WORDS: Readonly<Record<ReasonCode, string>> = {
  email_disposable: 'Disposable email',
  email_relay: 'Email relay',
  email_reputation: 'Email reputation',
  email_deliverability: 'Undeliverable',
  email_domain_new: 'New domain',
  email_role_account: 'Role account',
  email_alias: 'Plus alias',
  email_consumer_provider: 'Free mail (Gmail, Outlook…)',
  ip_anonymizer: 'Anonymised IP',
  ip_reputation: 'IP reputation',
  ip_hosting: 'Hosting IP',
  velocity_ip: 'Burst from one IP',
  velocity_domain: 'Burst from one domain',
};
