/** Decides when somebody outside is asked about a subject, how long that is waited for, and how long it is believed. */
import { type Breaker, createBreaker } from '../breaker.ts';
import { type Canary, type CanaryIntervals, createCanary, majorityOf } from '../canary.ts';
import { createTwoGenerationCache } from '../two-generation-cache.ts';

/** One entry of an upstream that speaks about the subject. */
export interface Listing {
  /** As evidence of abuse, 1 … 100. */
  readonly weight: number;
  readonly entry: string;
}

export type Answer = Listing | 'clear' | 'unknown';

export interface Upstream<S> {
  /** Names it in hits: `abuseipdb`, `dnsbl:<zone>`. */
  readonly id: string;
  readonly canary: Canary;
  /** Never rejects; at once when nothing is waited for. */
  lookup(subject: S): Answer | Promise<Answer>;
}

/** What was answered, and for how long it is believed. */
export interface Told {
  readonly answer: Listing | 'clear';
  readonly ttlMs: number;
}

export interface UpstreamOptions<S> {
  readonly id: string;
  /** Equal for equal subjects. */
  readonly keyOf: (subject: S) => string;
  /** Rejects when the upstream gave no answer; with `Busy` when it wants to be left alone. Bounded in time. */
  readonly ask: (subject: S) => Promise<Told>;
  /** Subjects that must never be listed: an upstream that lists most of them lists everybody. */
  readonly controls: readonly S[];
  /** When it is asked about them. */
  readonly controlIntervals: CanaryIntervals;
  /** Called when the upstream begins or ceases to be believed. */
  readonly onCanary?: (canary: Canary) => void;
  /** How long a lookup waits at most. Default 150. */
  readonly deadlineMs?: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Subjects remembered at most. Default 50,000. */
  readonly capacity?: number;
  /**
   * Called once a lookup with how it ended and after how long: `listed`, `clear`, `failed`, `late`; `cache`;
   * `distrusted` (it lists everybody, so what it says does not count); `shared` (joined a question under way); `breaker` (not asked, as it keeps failing, or asked to be left alone); `busy` (too
   * many questions open); `slow` (asked, but not waited for). And once more, `arrived`, when the answer follows a
   * `late` or a `slow`.
   */
  readonly onOutcome?: (outcome: string, milliseconds: number) => void;
}

/** The upstream asked not to be asked for a while. */
export class Busy extends Error {
  readonly pauseMs: number;
  constructor(pauseMs: number) {
    super('busy');
    this.pauseMs = pauseMs;
  }
}

interface Remembered {
  readonly answer: Answer;
  readonly learnedAt: number;
  readonly until: number;
}

const DEADLINE_MS = 150;
const FAILURES = 5;
const REST_MS = 30_000;
/** How long a subject that got no answer is not asked about again. */
const NEGATIVE_TTL_MS = 30_000;
const AT_ONCE = 64;
/** What a listing weighs at least to speak against its subject. */
const ACCUSING_WEIGHT = 25;

export function createUpstream<S>(options: UpstreamOptions<S>): Upstream<S> {
  return new Asked(options);
}

class Asked<S> implements Upstream<S> {
  readonly id: string;
  readonly canary: Canary;
  readonly #options: UpstreamOptions<S>;
  readonly #onOutcome: (outcome: string, milliseconds: number) => void;
  readonly #answers;
  readonly #underway = new Map<string, Promise<Answer>>();
  readonly #failing: Breaker = createBreaker({ failures: FAILURES, restMs: REST_MS });
  readonly #slow: Breaker = createBreaker({ failures: FAILURES, restMs: REST_MS });
  #pausedUntil = 0;

  constructor(options: UpstreamOptions<S>) {
    const { id, capacity = 50_000, onOutcome = () => {} } = options;
    this.id = id;
    this.#options = options;
    this.#onOutcome = onOutcome;
    this.#answers = createTwoGenerationCache<Remembered>(capacity);
    this.canary = createControls(options);
  }

  lookup(subject: S): Answer | Promise<Answer> {
    const now = this.#options.clock();
    const key = this.#options.keyOf(subject);
    if (this.canary.distrusted) return this.#give('distrusted');
    const known = this.#answers.get(key);
    if (known !== undefined && known.until > now && this.canary.stillBelieves(known.learnedAt)) {
      return this.#give('cache', known.answer);
    }
    const underway = this.#underway.get(key);
    if (underway !== undefined) return this.#slow.open ? this.#give('slow') : this.#give('shared', underway);
    if (this.#pausedUntil > now) return this.#give('breaker');
    if (this.#underway.size >= AT_ONCE) return this.#give('busy');
    const trial = this.#failing.open;
    if (trial && !this.#failing.trial(now)) return this.#give('breaker');
    const answer = this.#ask(key, subject, now, trial || this.#slow.open);
    return trial ? this.#give('breaker') : this.#slow.open ? this.#give('slow') : answer;
  }

  #give<T>(outcome: string, answer?: T): T | 'unknown' {
    this.#onOutcome(outcome, 0);
    return answer ?? 'unknown';
  }

  /** `unwaited`: nobody waits, so no deadline passes; but an answer that comes within it shows a quick upstream. */
  #ask(key: string, subject: S, start: number, unwaited: boolean): Promise<Answer> {
    const { ask, deadlineMs = DEADLINE_MS } = this.#options;
    const answer = new Promise<Answer>((resolve) => {
      let late = false;
      const deadline = setTimeout(() => {
        if (!unwaited) this.#onOutcome('late', deadlineMs);
        late = true;
        this.#slow.fail(this.#options.clock());
        resolve('unknown');
      }, deadlineMs);
      void ask(subject)
        .then(
          async (told) => {
            if (!late) this.#slow.succeed();
            const believed = await this.canary.believes(accuses(told));
            return this.#learn(key, told, { believed, start, after: unwaited || late });
          },
          (error: unknown) => this.#doubt(key, error, start, unwaited || late),
        )
        .then((answer) => {
          clearTimeout(deadline);
          this.#underway.delete(key);
          resolve(answer);
        });
    });
    this.#underway.set(key, answer);
    return answer;
  }

  #learn(
    key: string,
    { answer, ttlMs }: Told,
    { believed, start, after }: { believed: boolean; start: number; after: boolean },
  ): Answer {
    const now = this.#options.clock();
    this.#failing.succeed();
    if (!believed) {
      this.#answers.set(key, { answer: 'unknown', learnedAt: now, until: now + NEGATIVE_TTL_MS });
      if (!after) this.#onOutcome('distrusted', now - start);
      return 'unknown';
    }
    this.#answers.set(key, { answer, learnedAt: now, until: now + ttlMs });
    this.#onOutcome(after ? 'arrived' : answer === 'clear' ? 'clear' : 'listed', now - start);
    return answer;
  }

  #doubt(key: string, error: unknown, start: number, after: boolean): Answer {
    const now = this.#options.clock();
    if (error instanceof Busy) this.#pausedUntil = now + error.pauseMs;
    else this.#failing.fail(now);
    this.#answers.set(key, { answer: 'unknown', learnedAt: now, until: now + NEGATIVE_TTL_MS });
    if (!after) this.#onOutcome('failed', now - start);
    return 'unknown';
  }
}

function accuses({ answer }: Told): boolean {
  return answer !== 'clear' && answer.weight >= ACCUSING_WEIGHT;
}

/** An upstream that gives no answer about a control says nothing of it. */
function createControls<S>(options: UpstreamOptions<S>): Canary {
  const { id, keyOf, ask, controls, controlIntervals: intervals, clock, onCanary } = options;

  async function round() {
    const answers = await Promise.allSettled(controls.map(ask));
    const judged = answers.flatMap((answer, at) =>
      answer.status === 'fulfilled'
        ? [{ name: keyOf(controls[at] as S), accused: accuses(answer.value) }]
        : [],
    );
    const wrong = judged.filter(({ accused }) => accused).map(({ name }) => name);
    return majorityOf(wrong, judged.length - wrong.length, controls.length);
  }

  return createCanary({
    source: id,
    ask: round,
    intervals,
    clock,
    ...(onCanary === undefined ? {} : { onChange: onCanary }),
  });
}
