/** Decides whether registries can be trusted about ages, by their answers about domains that are certainly old. */
import { registrableDomain } from '../address/domain.ts';
import { type Canary, createCanary, createNoCanary, majorityOf } from './canary.ts';

export interface AgeCanaryOptions {
  /** Domains that are certainly old; without any, registries are always trusted. */
  readonly domains: readonly string[];
  /** Milliseconds since the epoch; `null` when the registry does not list the domain; `undefined` without an answer. */
  readonly registeredAt: (name: string) => Promise<number | null | undefined>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onChange: (canary: Canary) => void;
  /** Called when a round found the registries right. */
  readonly onRight: () => void;
}

/** Registries belong to others: they are asked rarely. */
const INTERVALS = { everyMs: 3_600_000, freshMs: 7_200_000, burstMs: 60_000, retryMs: 60_000 };
const OLD_MS = 365 * 86_400_000;

export function createAgeCanary(options: AgeCanaryOptions): Canary {
  const { domains, registeredAt, clock, onChange, onRight } = options;
  if (domains.length === 0) return createNoCanary('rdap');

  async function ask() {
    const names = domains.map((domain) => registrableDomain(domain) ?? domain);
    const dates = await Promise.all(names.map(registeredAt));
    const answered = dates.filter((date) => date !== undefined);
    // Several owners did not register their domains within one second.
    const same = answered.length > 2 && new Set(answered).size === 1;
    const isWrong = (date: number | null | undefined) =>
      date !== undefined && (same || date === null || clock() - date < OLD_MS);
    const wrong = names.filter((_, at) => isWrong(dates[at]));
    const round = majorityOf(wrong, answered.length - wrong.length, names.length);
    if (round.outcome === 'right') onRight();
    return round;
  }

  return createCanary({ source: 'rdap', ask, intervals: INTERVALS, clock, onChange });
}
