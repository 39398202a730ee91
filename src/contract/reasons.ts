/** Every public reason code, once: its signal group, `label` (its name in tables and charts) and meaning. */
export const REASONS = {
  email_disposable: {
    signal: 'email',
    label: 'Disposable email',
    meaning: 'Domain is on the disposable-domain blocklist, or its mail goes to a mail host of such domains.',
  },
  email_relay: {
    signal: 'email',
    label: 'Email relay',
    meaning: 'Domain is a known email relay or forwarding provider.',
  },
  email_reputation: {
    signal: 'email',
    label: 'Email reputation',
    meaning:
      'Domain has spam or abuse reputation, a list calls it disposable and there are reasons against the listing, or the local part looks generated.',
  },
  email_deliverability: {
    signal: 'email',
    label: 'Undeliverable',
    meaning:
      'Mail to the domain is proven undeliverable (no such domain, no usable MX, or a null MX), its name servers give no usable answer while DNS answers for others, or it is a likely typing mistake of a large provider.',
  },
  email_domain_new: {
    signal: 'email',
    label: 'New domain',
    meaning: 'Domain was registered under 30 days ago.',
  },
  email_role_account: {
    signal: 'email',
    label: 'Role account',
    meaning: 'Local part is a role account such as admin or support.',
  },
  email_alias: {
    signal: 'email',
    label: 'Plus alias',
    meaning: 'Local part contains `+` (plus addressing).',
  },
  email_consumer_provider: {
    signal: 'email',
    label: 'Free mail (Gmail, Outlook…)',
    meaning: 'Domain is a free consumer provider.',
  },
  ip_anonymizer: {
    signal: 'ip',
    label: 'Anonymised IP',
    meaning: 'IP carries anonymized traffic: Tor, VPN, proxy or privacy relay.',
  },
  ip_reputation: {
    signal: 'ip',
    label: 'IP reputation',
    meaning: 'IP has an elevated abuse reputation or is on blocklists.',
  },
  ip_hosting: {
    signal: 'ip',
    label: 'Hosting IP',
    meaning: 'IP belongs to a datacenter or hosting ASN.',
  },
  velocity_ip: {
    signal: 'velocity',
    label: 'Burst from one IP',
    meaning: 'Unusual signup rate from this IP: 5 or more attempts in an hour.',
  },
  velocity_domain: {
    signal: 'velocity',
    label: 'Burst from one domain',
    meaning:
      'Unusual signup rate for the email domain (6 or more in an hour), or one mailbox under several addresses.',
  },
} as const;

export type ReasonCode = keyof typeof REASONS;
export type SignalGroup = (typeof REASONS)[ReasonCode]['signal'];

export const REASON_CODES = Object.keys(REASONS) as ReasonCode[];
export const SIGNAL_GROUPS = ['email', 'ip', 'velocity'] as const satisfies readonly SignalGroup[];
