/** A model of the right counts: it searches everything that ever happened. Slow and obvious. */
import type { VelocityCounts, VelocityEvent } from '../model/velocity-event.ts';
import type { RateState, RateWindow } from './counters.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

export class CountersModel {
  #attempts: VelocityEvent[] = [];
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
