/** Gathers all evidence of one attempt side by side, each part within its own deadline, from one snapshot. */
import type { EmailAddress } from '../address/email.ts';
import { type IpAddress, networkOf } from '../address/ip.ts';
import type { CountedAttempt, Counters } from '../counters/counters.ts';
import type { Intel } from '../intel/intel.ts';
import { type EmailGatherers, gatherEmail } from './email.ts';
import type { EmailEvidence, Evidence, IpEvidence, ListMatch } from './evidence.ts';
import { gatherIp } from './ip.ts';
import type { ReputationLookup } from './reputation/reputation.ts';

/** One attempt by everything that evidence is gathered for. */
export interface Subject {
  readonly account: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly email: EmailAddress;
  /** Keyed hashes of the address and of its mailbox. */
  readonly addressHash: string;
  readonly mailboxHash: string;
  /** `null` without a usable public IP. */
  readonly ip: IpAddress | null;
}

export interface Gathered {
  readonly evidence: Evidence;
  /** Takes the attempt out of the velocity counts again; for when it could not be stored. */
  undo(): void | Promise<void>;
}

export type Gatherer = 'email' | 'ip' | 'velocity';
/** At once where nothing has to be waited for. */
export type Gather = (subject: Subject) => Gathered | Promise<Gathered>;

export interface GatherOptions extends EmailGatherers {
  /** The snapshot in force; read once an attempt, so that no attempt mixes two. */
  readonly intel: () => Intel;
  readonly counters: Pick<Counters, 'count'>;
  /** The own lists of all accounts. */
  readonly ownLists: { find(subject: Subject, ip: IpEvidence | null): ListMatch | null };
  /** By address; `undefined` when nobody is to be asked. */
  readonly ipReputation: ReputationLookup<IpAddress> | undefined;
  /** Told how long each gatherer took, milliseconds. */
  readonly observe: (gatherer: Gatherer, milliseconds: number) => void;
}

export function createGather(options: GatherOptions): Gather {
  const { intel: currentIntel, counters, ownLists, ipReputation, observe } = options;

  function gatherCounted(subject: Subject, intel: Intel, counted: CountedAttempt, started: number) {
    /** What fails here was no attempt: it is not counted. */
    const takeBack = async (error: unknown): Promise<never> => {
      await counted.undo();
      throw error;
    };
    try {
      const afterCounting = performance.now();
      observe('velocity', afterCounting - started);
      const ip = subject.ip === null ? null : gatherIp(subject.ip, intel, ipReputation);
      const afterIp = performance.now();
      if (ip !== null) observe('ip', afterIp - afterCounting);
      const finish = (email: EmailEvidence, ip: IpEvidence | null): Gathered => {
        const list = ownLists.find(subject, ip);
        observe('email', performance.now() - afterIp);
        return { evidence: compose(intel.id, email, ip, list, counted), undo: () => counted.undo() };
      };
      const email = gatherEmail(subject.email, intel, options, subject.at);
      return email instanceof Promise || ip instanceof Promise
        ? Promise.all([email, ip])
            .then(([email, ip]) => finish(email, ip))
            .catch(takeBack)
        : finish(email, ip);
    } catch (error) {
      return takeBack(error);
    }
  }

  return (subject) => {
    const intel = currentIntel();
    const started = performance.now();
    const counting = counters.count({
      account: subject.account,
      at: subject.at,
      network: subject.ip === null ? null : networkOf(subject.ip),
      domain: subject.email.domain,
      address: subject.addressHash,
      mailbox: subject.mailboxHash,
    });
    return counting instanceof Promise
      ? counting.then((counted) => gatherCounted(subject, intel, counted, started))
      : gatherCounted(subject, intel, counting, started);
  };
}

function compose(
  snapshot: string,
  email: EmailEvidence,
  ip: IpEvidence | null,
  list: ListMatch | null,
  { counts }: CountedAttempt,
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
