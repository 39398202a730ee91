/** Decides how long what DNS said of a domain's mail is used again: an answer by its TTL, a missing one for a moment. */
import type { MailExchange } from '../evidence.ts';
import { createTwoGenerationCache } from '../two-generation-cache.ts';
import type { MailAnswer } from './mail-answer.ts';
import { deniesMail } from './mail-canary.ts';

export interface MailMemory {
  recall(domain: string, now: number): MailExchange | undefined;
  /** Whether it was ever answered, as far back as memory goes. */
  wasAnswered(domain: string): boolean;
  keep(domain: string, answer: MailAnswer, now: number): void;
  /** It could not be answered: not asked for again for a while. */
  keepMissing(domain: string, value: MailExchange, now: number): void;
  forgetMissing(domain: string): void;
  forgetAllMissing(): void;
}

interface Remembered {
  readonly value: MailExchange;
  readonly learnedAt: number;
  readonly until: number;
}

const MISSING_MS = 10_000;

/** @param stillBelieves whether a denial that was learned at that time may still be used */
export function createMailMemory(
  capacity: number,
  stillBelieves: (learnedAt: number) => boolean,
): MailMemory {
  const answers = createTwoGenerationCache<Remembered>(capacity);
  const missing = createTwoGenerationCache<Omit<Remembered, 'learnedAt'>>(capacity);
  return {
    recall(domain, now) {
      const known = answers.get(domain);
      // A denial that was learned before the servers were caught denying everything is asked for again.
      if (
        known !== undefined &&
        known.until > now &&
        (!deniesMail(known.value) || stillBelieves(known.learnedAt))
      )
        return known.value;
      const lacking = missing.get(domain);
      return lacking !== undefined && lacking.until > now ? lacking.value : undefined;
    },
    wasAnswered: (domain) => answers.get(domain) !== undefined,
    keep(domain, { value, ttlMs }, now) {
      if (ttlMs > 0) answers.set(domain, { value, learnedAt: now, until: now + ttlMs });
    },
    keepMissing: (domain, value, now) => missing.set(domain, { value, until: now + MISSING_MS }),
    forgetMissing(domain) {
      if (missing.get(domain) !== undefined) missing.set(domain, { value: UNKNOWN, until: 0 });
    },
    forgetAllMissing: () => missing.clear(),
  };
}

const UNKNOWN: MailExchange = { status: 'unknown', hosts: [] };
