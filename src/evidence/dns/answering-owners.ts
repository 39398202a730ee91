/** Decides whether a missing answer is the domain's own fault: whether DNS answers for the domains of others meanwhile. */
import { ownerDomain } from '../../address/domain.ts';

export interface AnsweringOwners {
  /** Something was proven of the domain. `control`: well-known, asked to test the resolver. */
  noteAnswer(domain: string, now: number, control?: boolean): void;
  /** `accused`: it was told to be the domain's fault. */
  noteUnanswered(domain: string, now: number, accused: boolean): void;
  /** Whether others were answered since `start`, and of late most were. */
  othersAnswered(domain: string, start: number, now: number): boolean;
  /** Whether a missing answer was told to be the fault of this owner a moment ago. */
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
/** With fewer answered owners to each unanswered one it may be the resolver's fault. */
const MIN_RATIO = 2;
const CAPACITY = 200;

export function createAnsweringOwners(): AnsweringOwners {
  /** The last outcome of each owner, the oldest first. */
  const outcomes = new Map<string, Outcome>();
  const ownerOf = (domain: string) => ownerDomain(domain) ?? domain;

  function note(domain: string, outcome: Outcome): void {
    const owner = ownerOf(domain);
    outcomes.delete(owner);
    outcomes.set(owner, outcome);
    if (outcomes.size <= CAPACITY) return;
    for (const oldest of outcomes.keys()) {
      outcomes.delete(oldest);
      return;
    }
  }

  return {
    noteAnswer(domain, now, control = false) {
      const proofUntil = control ? now + CONTROL_MS : now;
      note(domain, { answered: true, at: now, proofUntil, accused: false });
    },
    noteUnanswered(domain, now, accused) {
      note(domain, { answered: false, at: now, proofUntil: 0, accused });
    },
    othersAnswered(domain, start, now) {
      const own = ownerOf(domain);
      let answered = 0;
      let unanswered = 1;
      let proven = 0;
      for (const [owner, outcome] of outcomes) {
        if (owner === own || now - outcome.at >= RECENT_MS) continue;
        if (!outcome.answered) unanswered += 1;
        else answered += 1;
        if (outcome.answered && outcome.proofUntil >= start) proven += 1;
      }
      return proven >= MIN_ANSWERED && answered >= unanswered * MIN_RATIO;
    },
    isAccused(domain, now) {
      const outcome = outcomes.get(ownerOf(domain));
      return outcome?.accused === true && now - outcome.at < ACCUSED_MS;
    },
  };
}
