/** Decides whether a missing answer is the domain's own fault: at the same time, DNS answers about domains of others. */
import { ownerDomain } from '../../address/domain.ts';
import { CONTROL } from './dns-query-places.ts';

export interface AnsweringOwners {
  /** The domain got a usable answer. `account`: who asked; `CONTROL` for well-known domains that test the resolver. */
  noteAnswer(domain: string, account: string, now: number): void;
  /** `accused`: it was reported as the domain's fault. */
  noteUnanswered(domain: string, account: string, now: number, accused: boolean): void;
  /** Whether others were answered since `start`, and most of them lately, in the view of this account. */
  othersAnswered(domain: string, account: string, start: number, now: number): boolean;
  /** Whether a missing answer was reported as the fault of this owner a moment ago. */
  isAccused(domain: string, now: number): boolean;
}

interface Outcome {
  readonly answered: boolean;
  readonly at: number;
  /** An answer proves that the resolver works until then. */
  readonly proofUntil: number;
  readonly accused: boolean;
}

const RECENT_MS = 20_000;
const ACCUSED_MS = 60_000;
/** Control questions are not asked more often. */
const CONTROL_MS = 2_000;
const MIN_ANSWERED = 3;
/** Min. answered owners for each unanswered one: with fewer, it may be the resolver's fault. */
const MIN_RATIO = 2;
/** Max. unanswered owners that the questions of one account count for the domains of another. */
const MAX_UNANSWERED_OF_OTHERS = 2;
const MAX_ANSWERED_OF_OTHERS = MAX_UNANSWERED_OF_OTHERS * MIN_RATIO;
const MAX_OWNERS = 200;
const MAX_ACCOUNTS = 100;

export function createAnsweringOwners(): AnsweringOwners {
  /** The last outcome of each owner, by account; accounts and owners each the oldest first. */
  const accounts = new Map<string, Map<string, Outcome>>();

  function note(domain: string, account: string, outcome: Outcome): void {
    const outcomes = accounts.get(account) ?? new Map<string, Outcome>();
    setLast(accounts, account, outcomes, MAX_ACCOUNTS);
    setLast(outcomes, ownerOf(domain), outcome, MAX_OWNERS);
  }

  return {
    noteAnswer(domain, account, now) {
      const proofUntil = account === CONTROL ? now + CONTROL_MS : now;
      note(domain, account, { answered: true, at: now, proofUntil, accused: false });
    },
    noteUnanswered(domain, account, now, accused) {
      note(domain, account, { answered: false, at: now, proofUntil: 0, accused });
    },
    othersAnswered(domain, account, start, now) {
      const own = ownerOf(domain);
      let answered = 0;
      let unanswered = 1;
      let proven = 0;
      for (const [asker, outcomes] of accounts) {
        const found = countOutcomes(outcomes, own, start, now);
        const isOther = asker !== account && asker !== CONTROL;
        answered += isOther ? Math.min(found.answered, MAX_ANSWERED_OF_OTHERS) : found.answered;
        unanswered += isOther ? Math.min(found.unanswered, MAX_UNANSWERED_OF_OTHERS) : found.unanswered;
        proven += found.proven;
      }
      return proven >= MIN_ANSWERED && answered >= unanswered * MIN_RATIO;
    },
    isAccused(domain, now) {
      const owner = ownerOf(domain);
      for (const outcomes of accounts.values()) {
        const outcome = outcomes.get(owner);
        if (outcome?.accused === true && now - outcome.at < ACCUSED_MS) return true;
      }
      return false;
    },
  };
}

function countOutcomes(outcomes: ReadonlyMap<string, Outcome>, own: string, start: number, now: number) {
  let answered = 0;
  let unanswered = 0;
  let proven = 0;
  for (const [owner, outcome] of outcomes) {
    if (owner === own || now - outcome.at >= RECENT_MS) continue;
    if (!outcome.answered) unanswered += 1;
    else answered += 1;
    if (outcome.answered && outcome.proofUntil >= start) proven += 1;
  }
  return { answered, unanswered, proven };
}

function ownerOf(domain: string): string {
  return ownerDomain(domain) ?? domain;
}

function setLast<V>(map: Map<string, V>, key: string, value: V, capacity: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= capacity) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
