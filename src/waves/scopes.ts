/** Decides where a signup may meet other members of its group. */
import { ownerDomain } from '../address/domain.ts';
import type { CampaignScope } from '../model/campaign.ts';
import { voiceOf } from '../model/velocity-event.ts';
import { type GroupKey, keyOfText } from './group-key.ts';
import type { WaveMember } from './wave-member.ts';

export type ScopeKind = CampaignScope;

export interface Scope {
  readonly kind: ScopeKind;
  readonly text: string;
  readonly key: GroupKey;
}

export const scopeOf = (kind: ScopeKind, text: string): Scope => ({
  kind,
  text,
  key: keyOfText(`${kind} ${text}`),
});

/** @param registrable name */
export const domainScope = (registrable: string): Scope => scopeOf('domain', registrable);

export const ACCOUNT: Scope = scopeOf('account', '');
const FRESH = scopeOf('fresh_domains', '');
const HOSTING = scopeOf('hosting', '');

/** Kinds of scopes; `undefined`: all. */
export type WantedKinds = ReadonlySet<ScopeKind> | undefined;

/** @param isFresh whether its domain was first seen a short time ago, if that is known: otherwise as if it was */
export function scopesOf(member: WaveMember, isFresh = true, wanted?: WantedKinds): readonly Scope[] {
  const { domainKind, domain, registrable, range, isHosting, mailHosts, mayBeNew } = member;
  const wants = (kind: ScopeKind) => wanted === undefined || wanted.has(kind);
  const scopes = wants('account') ? [ACCOUNT] : [];
  if ((domainKind === 'provider' || domainKind === 'relay') && wants('provider'))
    scopes.push(scopeOf('provider', domain));
  if (domainKind === 'private') {
    if (wants('domain')) scopes.push(domainScope(registrable));
    if (isFresh && mayBeNew) {
      if (wants('fresh_domains')) scopes.push(FRESH);
      if (wants('mail_host')) for (const host of mailHosts) scopes.push(scopeOf('mail_host', host));
    }
  }
  // People of a company share their office's addresses: there, their domain tells more.
  if (range !== null && domainKind === 'provider' && wants('range')) scopes.push(scopeOf('range', range));
  if (isHosting && domainKind !== 'guarded' && wants('hosting')) scopes.push(HOSTING);
  return scopes;
}

/** Whether its members meet at several domains. */
export function isOfDomains({ kind }: Scope): boolean {
  return kind === 'fresh_domains' || kind === 'mail_host';
}

export function mailboxScope(mailbox: string): Scope {
  return scopeOf('mailbox', mailbox);
}

/** Registrable domain of a mail host or of an address. */
export function registrableOf(domain: string): string {
  return ownerDomain(domain) ?? domain;
}

/** The /24 of an IPv4 address, the /48 of an IPv6 network, as `networkOf` writes them. */
export function rangeOf(network: string): string {
  if (network.includes(':')) return `${voiceOf(network)}::/48`;
  return `${network.slice(0, network.lastIndexOf('.'))}.0/24`;
}
