/** Says why a signup belongs to a wave: where, what its members share, how unlikely that is, and what else agrees. */
import type { CampaignDecision, CampaignFamily, CampaignMatch } from '../model/campaign.ts';
import type { Evidence } from '../model/evidence.ts';

const PLACES: Readonly<Record<CampaignMatch['scope'], (text: string) => string>> = {
  domain: (text) => `at ${text || 'one domain'}`,
  provider: (text) => `at ${text || 'one provider'}`,
  fresh_domains: () => 'at domains that are new to you',
  mail_host: (text) => `at domains whose mail goes to ${text || 'one host'}`,
  range: (text) => `from the network ${text}`.trimEnd(),
  address: (text) => `from ${text || 'one IP'}`,
  mailbox: () => 'of one mailbox',
  asn: (text) => `from ${text || 'one network operator'}`,
  hosting: () => 'from hosting networks',
  account: () => 'among all your signups',
};

const FAMILIES: Readonly<Record<CampaignFamily, string>> = {
  names: 'names',
  domain: 'domain',
  network: 'networks',
  time: 'times',
  mailbox: 'mailbox',
};

const GROUPS = ['', 'thousand', 'million', 'billion', 'trillion', 'quadrillion'] as const;
const MAX_DECADES = 3 * GROUPS.length - 1;
const RUN = /([a-z])(\d*)|[^a-z\d]/g;
const RUNS: Readonly<Record<string, string>> = { l: 'letters', d: 'digits', x: 'letters and digits' };
const SEPARATORS: Readonly<Record<string, string>> = { '.': 'a dot', _: 'an underscore', '-': 'a hyphen' };
/** Share above which it is easier to read as so many of 100. */
const MIN_COMMON = 0.4;

/** `at postfarm.example`, `from 203.0.113.7` */
export function placeOfWave({ scope, scopeText }: Pick<CampaignMatch, 'scope' | 'scopeText'>): string {
  return PLACES[scope](scopeText);
}

/** @param evidence with a campaign */
export function describeWave({ campaign }: Evidence): string {
  return campaign === null
    ? 'member of a wave'
    : `member ${campaign.members} of ${describeCampaign(campaign)}`;
}

/** The parts of a campaign that its words are made of. */
type Described = Pick<
  CampaignMatch,
  'scope' | 'scopeText' | 'mark' | 'markText' | 'members' | 'usual' | 'decades' | 'families'
> &
  ({ readonly confirmed: boolean } | { readonly decision: CampaignDecision });

export function describeCampaign(campaign: Described): string {
  const { decades } = campaign;
  const isConfirmed = 'confirmed' in campaign ? campaign.confirmed : campaign.decision === 'confirmed';
  const by = isConfirmed ? ', which your team confirmed' : '';
  const parts = [
    `a wave ${placeOfWave(campaign)}${by}: ${sharedBy(campaign)}${usualOf(campaign)}`,
    ...(decades < 1 ? [] : [`the odds that this is chance are below ${oddsOf(decades)}`]),
    ...agreementOf(campaign),
  ];
  return parts.join('; ');
}

function sharedBy({ mark, markText, members }: Described): string {
  const names = `all ${members} names`;
  switch (mark) {
    case 'any':
      return `${members} signups`;
    case 'generated':
      return `${names} look generated`;
    case 'random':
      return `${names} are random letters and digits`;
    case 'length':
      return `${names} look random and have ${markText} characters`;
    case 'mixed':
      return `${names} mix letters and digits`;
    case 'form':
      return `${names} have one form (${describeMask(markText)})`;
    case 'manner':
      return `${names} and their domains are made in one manner`;
    case 'mask':
      return `${names} have one pattern (${describeMask(markText)})`;
    case 'words':
      return `${names} are two random words`;
    case 'stem':
      return `${names} are one word with a number behind it`;
    case 'strange':
      return `${names} are unlike the names of people`;
    case 'sub_domains':
      return `${members} signups, with a new sub-domain each`;
    case 'mailbox':
      return `${members} spellings of it`;
    case 'victims':
      return `${members} addresses of strangers, who probably did not sign up themselves`;
    case 'rate':
      return `${members} signups, faster than your people come`;
  }
}

function usualOf({ mark, usual }: Described): string {
  if (mark === 'any' || usual <= 0 || usual >= 1) return '';
  if (usual > MIN_COMMON) return `, as with ${Math.round(100 * usual)} in 100 of your people`;
  return `, as with 1 in ${Math.round(1 / usual).toLocaleString('en-US')} of your people`;
}

/** `l8d4`: 8 letters, 4 digits. */
export function describeMask(mask: string): string {
  const parts = [...mask.matchAll(RUN)].map(([separator, kind = '', count]) =>
    count === undefined
      ? (SEPARATORS[separator] ?? separator)
      : `${count} ${RUNS[kind] ?? 'characters'}`.trimStart(),
  );
  return parts.join(', ');
}

/** `9.4`: 1 in a billion. */
export function oddsOf(decades: number): string {
  const whole = Math.min(MAX_DECADES, Math.max(1, Math.floor(decades)));
  const group = GROUPS[Math.floor(whole / 3)] as string;
  const amount = 10 ** (whole % 3);
  if (group === '') return `1 in ${amount}`;
  return amount === 1 ? `1 in a ${group}` : `1 in ${amount} ${group}`;
}

function agreementOf({ families }: Described): string[] {
  if (families.length < 2) return [];
  const names = families.map((family) => FAMILIES[family]);
  return [`${names.slice(0, -1).join(', ')} and ${names.at(-1)} agree`];
}
