/** Words for the facts that a source says of its entries. */

const WORDS: Readonly<Record<string, string>> = {
  abuse: 'addresses seen in abuse',
  asn: 'networks and their operators',
  carrier: 'mobile carriers',
  consumer: 'free email providers',
  corporate: 'corporate security proxies',
  country: 'countries of IP addresses',
  datacenter: 'hosting networks',
  disposable: 'disposable domains',
  egress: 'code that platforms run for many customers',
  institution: 'universities and schools',
  known: 'known ordinary domains',
  mistyped: 'providers that people mistype',
  no_reply: 'no-reply domains of code hosts',
  not_disposable: 'domains that are not disposable',
  popular: 'popular domains',
  proxy: 'open proxies',
  relay: 'mail relays',
  role: 'role mailboxes',
  shared_suffix: 'suffixes shared by unrelated people',
  sms_gateway: 'gateways to text messages',
  spam: 'spam domains',
  tld: 'top-level domains',
  tor: 'Tor exits',
  vpn: 'VPN endpoints',
};

/** A fact without words of its own is shown by its name. */
export function factWords(fact: string): string {
  return WORDS[fact] ?? fact.replaceAll('_', ' ');
}
