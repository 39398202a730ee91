/** A model of the right counts: it searches everything that ever happened. Slow and obvious. */
import {
  BURST,
  type Crowd,
  type MailboxVoices,
  plainCrowd,
  type VelocityCounts,
  type VelocityEvent,
  type VoiceCount,
  voiceOf,
} from '../model/velocity-event.ts';
import type { RateState, RateWindow } from './counters.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Every voice of an event, as numbers. */
export interface VoicesSeen {
  readonly networkMailboxes1h: Crowd;
  readonly domainVoices1h: Crowd;
  readonly mailboxVoices24h: MailboxVoices;
}

export class CountersModel {
  #attempts: VelocityEvent[] = [];
  readonly #blocked = new Set<VelocityEvent>();
  readonly #admitted = new Map<string, number[]>();

  count(attempt: VelocityEvent): VelocityCounts {
    this.#attempts.push(attempt);
    const within = (lengthMs: number) =>
      this.#attempts.filter(
        ({ account, at }) => account === attempt.account && at > attempt.at - lengthMs && at <= attempt.at,
      );
    const network = (lengthMs: number) =>
      attempt.network === null
        ? 0
        : within(lengthMs).filter((event) => event.network === attempt.network).length;
    const addresses = (lengthMs: number, key: 'domain' | 'mailbox') =>
      new Set(
        within(lengthMs)
          .filter((event) => event[key] === attempt[key])
          .map((event) => event.addressHash),
      ).size;
    return {
      network1h: network(HOUR_MS),
      network24h: network(DAY_MS),
      domain1h: addresses(HOUR_MS, 'domain'),
      domain24h: addresses(DAY_MS, 'domain'),
      mailbox24h: addresses(DAY_MS, 'mailbox'),
      partial: false,
    };
  }

  /** Voices of an attempt that was just counted. */
  voices(attempt: VelocityEvent, { network1h, domain1h, mailbox24h }: VelocityCounts): VoicesSeen {
    const since = (lengthMs: number, key: 'network' | 'domain' | 'mailbox') =>
      this.#attempts.filter(
        (event) =>
          event.account === attempt.account &&
          event[key] === attempt[key] &&
          event.at > attempt.at - lengthMs &&
          event.at <= attempt.at,
      );
    const distinct = (
      events: readonly VelocityEvent[],
      of: (event: VelocityEvent) => string | null,
    ): VoiceCount => {
      const all = new Set(events.map(of)).size;
      const others = events.filter((event) => !this.#blocked.has(event) && event.blocked !== true);
      return { all, blocked: all - new Set(others.map(of)).size };
    };
    /** The latest of each that was not blocked. */
    const latest = (
      events: readonly VelocityEvent[],
      of: (event: VelocityEvent) => string | null,
    ): VelocityEvent[] => {
      const heard = events.filter((event) => !this.#blocked.has(event) && event.blocked !== true);
      return [...new Map(heard.map((event) => [of(event), event])).values()];
    };
    const crowd = (events: readonly VelocityEvent[], of: (event: VelocityEvent) => string | null): Crowd => ({
      ...distinct(events, of),
      named: latest(events, of).filter(({ named }) => named === true).length,
      ofDomain: latest(events, of).filter(({ domain }) => domain === attempt.domain).length,
    });
    const plain = (all: number): VoiceCount => ({ all, blocked: 0 });
    const ofMailbox = since(DAY_MS, 'mailbox');
    const voice = ({ network }: VelocityEvent) => (network === null ? null : voiceOf(network));
    const fromOwn = ofMailbox.filter((event) => voice(event) === voice(attempt));
    const fromOthers = ofMailbox.filter((event) => voice(event) !== voice(attempt));
    return {
      networkMailboxes1h:
        network1h < BURST.network1h
          ? plainCrowd(network1h)
          : crowd(since(HOUR_MS, 'network'), ({ mailbox }) => mailbox),
      domainVoices1h:
        domain1h < BURST.domain1h
          ? plainCrowd(domain1h)
          : crowd(since(HOUR_MS, 'domain'), (event) => {
              if (event.network === null) return `no network: ${event.mailbox}`;
              return voice(event) === voice(attempt) ? event.network : `voice ${voice(event)}`;
            }),
      mailboxVoices24h:
        mailbox24h < BURST.mailbox24h
          ? { own: plain(mailbox24h), others: plain(0) }
          : {
              own: distinct(fromOwn, ({ addressHash }) => addressHash),
              others: distinct(fromOthers, voice),
            },
    };
  }

  markBlocked(attempt: VelocityEvent): void {
    this.#blocked.add(attempt);
  }

  undo(attempt: VelocityEvent): void {
    this.#attempts = this.#attempts.filter((event) => event !== attempt);
  }

  admit(bucket: string, window: RateWindow, now: number): RateState {
    const { admitted } = this.peek(bucket, window, now);
    if (admitted) this.#admitted.set(bucket, [...(this.#admitted.get(bucket) ?? []), now]);
    return { ...this.peek(bucket, window, now), admitted };
  }

  peek(bucket: string, { windowMs, admits }: RateWindow, now: number): RateState {
    const times = this.#admitted.get(bucket) ?? [];
    const heldAt = (moment: number) => times.filter((time) => moment - time < windowMs).length;
    const moments = [now, ...times.map((time) => time + windowMs)].filter((moment) => moment >= now);
    const free = moments.sort((a, b) => a - b).find((moment) => heldAt(moment) < admits);
    return {
      admitted: heldAt(now) < admits,
      remaining: Math.max(0, admits - heldAt(now)),
      retryAt: free ?? now + windowMs,
    };
  }
}
