/** Names of the findings as pages show them: of each detector, of the own lists and of the sandbox. */
export const DETECTORS = {
  disposable_domain: 'Throw-away domain',
  disposable_disputed: 'Disputed throw-away domain',
  disposable_mx: 'Throw-away mail host',
  no_domain: 'Domain does not exist',
  null_mx: 'Domain takes no mail',
  no_mx: 'No mail exchange',
  mx_unanswered: 'Silent name servers',
  typing_mistake: 'Typing mistake',
  spam_domain: 'Spam domain',
  new_domain: 'New domain',
  relay_domain: 'Email relay',
  role_account: 'Role account',
  sms_gateway: 'Text-message gateway',
  plus_alias: '“+” tag',
  generated_name: 'Generated name',
  consumer_provider: 'Free mail',
  tor_exit: 'Tor exit',
  vpn: 'VPN',
  proxy: 'Anonymous proxy',
  privacy_relay: 'Privacy relay',
  hosting: 'Hosting network',
  ip_abuse: 'IP on blocklists',
  wave_email: 'Wave of similar addresses',
  wave_domain: 'Wave at one domain or mailbox',
  wave_network: 'Wave from one network',
  wave_address: 'Wave from one IP',
  ip_burst: 'Burst from one IP',
  domain_burst: 'Burst from one domain',
  mailbox_farm: 'One mailbox, many spellings',
  mailbox_months: 'One mailbox for months',
  deny_list: 'Your Block list',
  allow_list: 'Your Allow list',
  sandbox: 'Sandbox',
} as const;

export type DetectorName = keyof typeof DETECTORS;
export const DETECTOR_NAMES = Object.keys(DETECTORS) as DetectorName[];

/** Name for pages; a detector that another version of Gatehouse has is named by its id. */
export function labelOfDetector(detector: string): string {
  const known = (DETECTORS as Readonly<Record<string, string>>)[detector];
  if (known !== undefined) return known;
  const words = detector.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
