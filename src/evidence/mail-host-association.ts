/** Decides what follows for a domain from what is known of its mail hosts and of their addresses; learns nothing. */
import type { Intel } from '../intel/intel.ts';
import type { DisposableHost } from '../model/evidence.ts';
import type { HostAddresses, HostLimit } from './mail-host-addresses.ts';
import type { AssociationBasis } from './mail-host-basis.ts';
import type { HostDecisions } from './mail-host-decisions.ts';
import {
  type Association,
  associated,
  type HostFacts,
  type HostVouch,
  type ServedDomain,
  UNASSOCIATED,
} from './mail-host-facts.ts';
import { hostKey } from './mail-host-record.ts';
import type { HostRecords } from './mail-host-records.ts';
import type { HostVerdict } from './mail-host-verdict.ts';

/** Knowledge that an association is made from. */
export interface HostKnowledge {
  readonly factsOf: (host: string, intel: Intel) => HostFacts;
  readonly decisions: Pick<HostDecisions, 'isNeverFlagged'>;
  readonly records: Pick<HostRecords, 'verdict' | 'servesOtherListed' | 'basisOf'>;
  readonly addresses: Pick<HostAddresses, 'getAndRefresh' | 'peek' | 'dueAt'>;
  /** Limit for the hosts of one domain; of others only what is known is used. */
  readonly hostsOfDomain: Pick<HostLimit, 'admits'>;
}

/** A domain that is judged in one snapshot. `basis` notes what is used; `undefined` if the caller does not need that. */
export interface AssociationQuestion {
  readonly served: ServedDomain;
  readonly intel: Intel;
  readonly basis: AssociationBasis | undefined;
}

/** More backup hosts say little and cost time. */
export const MAX_HOSTS = 4;
/** Fewer ordinary domains do not contradict a listing. */
const MIN_ORDINARY = 2;

/** The first host about which something is known decides. */
export function findAssociation(knowledge: HostKnowledge, question: AssociationQuestion): Association {
  const { factsOf, decisions } = knowledge;
  const { served, intel } = question;
  const { hosts } = served;
  for (let at = 0; at < hosts.length && at < MAX_HOSTS; at += 1) {
    const host = hosts[at] as string;
    const { shared, relay, below, key } = factsOf(host, intel);
    if (shared || relay !== undefined || decisions.isNeverFlagged(key)) continue;
    // The owner of the listed domain named this host.
    if (below !== '') return associated({ name: host, matched: below, serves: 0 });
    const { state, listed } = verdictOf(knowledge, question, key);
    if (state === 'flagged') return associated({ name: host, matched: key, serves: listed });
    if (state === 'ordinary') return UNASSOCIATED;
    const flagged = findAddress(knowledge, question, host);
    if (flagged !== undefined) return associated({ name: host, ...flagged });
  }
  return UNASSOCIATED;
}

/** Whether mailboxes cost money at each of the hosts: a domain can name a host of strangers beside its own. */
export function arePaid(
  { factsOf }: Pick<HostKnowledge, 'factsOf'>,
  { served, intel }: AssociationQuestion,
): boolean {
  return served.hosts.slice(0, MAX_HOSTS).every((host) => factsOf(host, intel).paid);
}

/** Reason why the hosts speak for the domain, from what was seen. Hosts of others where nothing was seen yet do not. */
export function vouchOf(knowledge: HostKnowledge, question: AssociationQuestion): HostVouch {
  const { factsOf, records } = knowledge;
  const { served, intel, basis } = question;
  const { domain, hosts } = served;
  const own = hostKey(domain);
  const isOwn = (host: string) => factsOf(host, intel).key === own;
  const speaks = hosts.slice(0, MAX_HOSTS).every((host, at) => {
    const { shared, relay, below, key } = factsOf(host, intel);
    // Its own host is below its own listing.
    if (shared || relay !== undefined || (below !== '' && hostKey(below) !== own)) return false;
    const { state, ordinary } = verdictOf(knowledge, question, key);
    if (state === 'flagged' || (at === 0 && !isOwn(host) && ordinary < MIN_ORDINARY)) return false;
    const keys = [key, ...addressesOf(knowledge, question, host)];
    return keys.every((key) => {
      basis?.noteRecord(records, key);
      return !records.servesOtherListed(key, domain);
    });
  });
  if (!speaks) return '';
  return isOwn(hosts[0] ?? '') ? 'own' : 'ordinary';
}

/**
 * Anybody may give a name the address of somebody else. So an address counts only for domains that use a host name of
 * their own, as throw-away services do. A provider's customers use the provider's name, which has a record.
 */
function findAddress(
  knowledge: HostKnowledge,
  question: AssociationQuestion,
  host: string,
): Omit<DisposableHost, 'name'> | undefined {
  // Looked up in any case: the addresses of a host serve the same domains.
  const addresses = addressesOf(knowledge, question, host);
  if (hostKey(host) !== hostKey(question.served.domain)) return undefined;
  for (const matched of addresses) {
    if (knowledge.decisions.isNeverFlagged(matched)) continue;
    const { state, listed } = verdictOf(knowledge, question, matched);
    if (state === 'flagged') return { matched, serves: listed };
  }
  return undefined;
}

function verdictOf(
  { records }: HostKnowledge,
  { served: { account, domain }, basis }: AssociationQuestion,
  key: string,
): HostVerdict {
  basis?.noteRecord(records, key);
  return records.verdict(key, account, domain);
}

/** Addresses of the hosts; beyond the limit of a domain's owner, only those that are known. */
function addressesOf(
  { addresses, hostsOfDomain }: HostKnowledge,
  { served: { domain }, basis }: AssociationQuestion,
  host: string,
): readonly string[] {
  basis?.noteUntil(addresses.dueAt(host));
  return hostsOfDomain.admits(hostKey(domain), host) ? addresses.getAndRefresh(host) : addresses.peek(host);
}
