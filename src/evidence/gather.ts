/** Gathers all evidence of one attempt in parallel, each part within its own deadline, from one snapshot. */
import { isDocumentation } from '../address/ip.ts';
import type { Intel, NetworkKnowledge } from '../intel/intel.ts';
import type { EmailEvidence, Evidence, IpEvidence } from '../model/evidence.ts';
import type { ListMatch } from '../model/list-entry.ts';
import type { EmailAddress, IpAddress } from '../model/signup-attempt.ts';
import type { VelocityCounts, VelocityEvent } from '../model/velocity-event.ts';
import { type EmailGatherers, gatherEmail } from './email.ts';
import { addAbuse, NO_REPUTATION, type Reputation, type ReputationLookup } from './reputation.ts';

/** One attempt with everything that evidence is gathered about, and the keys it is counted under. */
export interface Subject extends VelocityEvent {
  readonly email: EmailAddress;
  /** `null` without a usable public IP. */
  readonly ip: IpAddress | null;
}

export type Gatherer = 'email' | 'ip';
/** `counts`: how often the attempt's keys were seen, itself included. Never rejects. */
export type Gather = (subject: Subject, counts: VelocityCounts) => Promise<Evidence>;

export interface GatherOptions extends EmailGatherers {
  /** The active snapshot; read once per attempt, so that no attempt mixes two. */
  readonly intel: () => Intel;
  /** The own lists of all accounts. */
  readonly ownLists: { find(subject: Subject, ip: IpEvidence | null): ListMatch | null };
  /** By address; `undefined` without upstreams. */
  readonly ipReputation: ReputationLookup<IpAddress> | undefined;
  /** Called with the time that each gatherer took, its own waits included, milliseconds. */
  readonly observe: (gatherer: Gatherer, milliseconds: number) => void;
}

export function createGather(options: GatherOptions): Gather {
  const { intel: currentIntel, ownLists, ipReputation, observe } = options;

  /** Both gatherers wait at once, so each is measured until its own end. */
  async function measure<T>(gatherer: Gatherer, gathering: Promise<T>, started: number): Promise<T> {
    const evidence = await gathering;
    observe(gatherer, performance.now() - started);
    return evidence;
  }

  return async (subject, counts) => {
    const intel = currentIntel();
    const started = performance.now();
    const gatheringIp =
      subject.ip === null ? null : measure('ip', gatherIp(subject.ip, intel, ipReputation), started);
    const afterIp = performance.now();
    const gatheringEmail = gatherEmail(subject.email, intel, options, subject);
    const email = await measure('email', gatheringEmail, afterIp);
    const ip = await gatheringIp;
    const list = ownLists.find(subject, ip);
    return compose(intel.id, email, ip, list, counts);
  };
}

function compose(
  snapshot: string,
  email: EmailEvidence,
  ip: IpEvidence | null,
  list: ListMatch | null,
  counts: VelocityCounts,
): Evidence {
  return {
    snapshot,
    email,
    ip,
    velocity: {
      ip1h: counts.network1h,
      ip24h: counts.network24h,
      domain1h: counts.domain1h,
      domain24h: counts.domain24h,
      mailbox24h: counts.mailbox24h,
      partial: counts.partial,
    },
    list,
  };
}

/**
 * Special ranges never get here, except those for documentation: no service is asked about these.
 * @param reputation `undefined` without upstreams
 */
async function gatherIp(
  address: IpAddress,
  intel: Intel,
  reputation: ReputationLookup<IpAddress> | undefined,
): Promise<IpEvidence> {
  const known = intel.network(address);
  if (reputation === undefined || isDocumentation(address)) return composeIp(address, known, NO_REPUTATION);
  return composeIp(address, known, await reputation.lookup(address));
}

function composeIp(address: IpAddress, known: NetworkKnowledge, reputation: Reputation): IpEvidence {
  const { listed } = known;
  return {
    address: address.text,
    tor: listed.tor,
    vpn: listed.vpn,
    proxy: listed.proxy,
    relay: listed.relay,
    datacenter: listed.datacenter,
    abuseScore: addAbuse(known.abuseScore, reputation),
    countryCode: known.countryCode,
    country: known.country,
    asn: known.asn,
    hits: reputation.hits.length === 0 ? known.hits : [...known.hits, ...reputation.hits],
    unknown: reputation.unknown,
  };
}
