/** Says in words what the members of a wave share, and where. */
import type { CampaignMark, CampaignScope, LearnedCampaign } from '../../model/campaign.ts';
import { describeMask } from '../../signup/wave-words.ts';

/** `text`: what is shared, in readable form; `domains`: distinct ones of the members. */
type Phrase = (text: string, domains: number) => string;

const MARKS: Readonly<Record<CampaignMark, Phrase>> = {
  any: () => 'signups',
  generated: () => 'names that look generated',
  random: () => 'names of random characters',
  length: (text) => `unusual names of ${text} characters each`,
  mixed: () => 'long names that mix letters and digits',
  mask: (text) => `names of ${describeMask(text)}`,
  form: (text) => `names of ${describeMask(text)}`,
  manner: () => 'domains and names of one manner',
  words: () => 'names of two words',
  stem: () => 'one name with other numbers',
  strange: () => 'names that mean nothing in any language',
  sub_domains: () => 'a sub-domain of its own for each address',
  mailbox: () => 'spellings of one mailbox',
  victims: () => 'addresses of people who did not sign up themselves (list bombing)',
  rate: () => 'far more signups than usual',
};

const SCOPES: Readonly<Record<CampaignScope, Phrase>> = {
  domain: (text) => `at ${text}`,
  provider: (text) => `at ${text}`,
  fresh_domains: (_, domains) => `at ${domainsOf(domains)} that came together`,
  mail_host: (text, domains) => `at ${domainsOf(domains)} whose mail goes to ${text}`,
  range: (text) => `from the network ${text}`,
  address: (text) => `from ${text}`,
  asn: (text) => `from ${text}`,
  hosting: () => 'from hosting networks',
  mailbox: () => 'of one mailbox',
  account: () => 'in the whole list',
};

/** @param domains distinct ones of the members */
export function sharedWords(
  { scope, scopeText, mark, markText }: Pick<LearnedCampaign, 'scope' | 'scopeText' | 'mark' | 'markText'>,
  domains: number,
): string {
  return `${MARKS[mark](markText, domains)} ${SCOPES[scope](scopeText, domains)}`;
}

function domainsOf(domains: number): string {
  return domains === 1 ? 'a domain' : `${domains.toLocaleString('en-US')} domains`;
}
