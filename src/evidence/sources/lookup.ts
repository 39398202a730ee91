/** Decides when an outside source is asked about a subject, how long a look-up waits, and how long the answer is used. */
import type { Awaitable } from '../../model/awaitable.ts';
import type { RememberedAnswer } from './remembered-answer.ts';
import { createTwoGenerationCache } from './two-generation-cache.ts';

/**
 * Outcome of a look-up, for every source:
 * - `cache`: from memory, which also knows that there was no answer, or that it is late;
 * - `shared`: by the answer to a question about the same subject that was already under way;
 * - `answered`, `failed`: by the answer, or because the source gave none;
 * - `late`: no reply before the deadline, or none at all;
 * - `arrived`: the answer of a question that nobody waited for any more. Reported besides the look-up's own outcome;
 * - `slow`: asked, but not waited for, because the source has been late too often;
 * - `breaker`: not asked, or asked only in the background to see whether the source is back: it keeps failing, or asked
 *   for a pause;
 * - `busy`: not asked, because there is no place for another question;
 * - `distrusted`: the answer does not count, because the source is wrong about well-known names;
 * - `inferred`, `withheld`: not asked, because related names show the answer, or show that none would come.
 */
export type LookupOutcome =
  | 'cache'
  | 'shared'
  | 'answered'
  | 'failed'
  | 'late'
  | 'arrived'
  | 'slow'
  | 'breaker'
  | 'busy'
  | 'distrusted'
  | 'inferred'
  | 'withheld';

/**
 * @param milliseconds how long the look-up took; of `arrived`, how long the answer did
 * @param value the answer; `undefined` for `shared`, which waits for it
 */
export type OnLookup<Value> = (
  outcome: LookupOutcome,
  milliseconds: number,
  value: Value | undefined,
) => void;

/** An answer of the source. */
export interface LookupAnswer<Value> {
  readonly value: Value;
  /** Time that it may be used. 0: only for those who wait for it. */
  readonly ttlMs: number;
}

/** Used instead of an answer of the source. */
export interface Substitute<Value> {
  readonly outcome: LookupOutcome;
  readonly value: Value;
  /** Remembered like a missing answer, if the source is not asked. Default: the next look-up tries again. */
  readonly isRemembered?: boolean;
}

/** A question under way. */
export interface Question<Value> {
  /** Bounded in time. A substitute is used for `missingTtlMs`. Never rejects. */
  readonly answer: Promise<LookupAnswer<Value> | Substitute<Value>>;
  /** Used at once if it is not worth waiting for the answer; the answer is for later look-ups. */
  readonly instead: Substitute<Value> | undefined;
  /** Called when the deadline passes before the answer comes; returns the value to use until then. */
  missed(): Substitute<Value>;
}

export interface MemoryEntry<Value> {
  readonly value: Value;
  /** Milliseconds since the epoch, both. */
  readonly learnedAt: number;
  readonly until: number;
}

/** Memory of answers. */
export interface LookupMemory<Value> {
  /** The entry in memory, out of date or not. */
  get(key: string): MemoryEntry<Value> | undefined;
  set(key: string, remembered: MemoryEntry<Value>): void;
  /** Reads a stored answer into memory. Never rejects. */
  load?(key: string): Promise<void>;
}

export interface LookupOptions<Subject, Value> {
  /** Equal for subjects that have the same answer. */
  readonly keyOf: (subject: Subject) => string;
  /**
   * Begins a question, or returns a substitute at once. `undefined`: there is no place for a question now. Only called
   * if memory has no answer and no question about the subject is under way.
   */
  readonly ask: (subject: Subject) => Question<Value> | Substitute<Value> | undefined;
  /** Max. time that a look-up waits, milliseconds. */
  readonly deadlineMs: number;
  /** Time that a subject that got no answer is not asked about again, milliseconds. */
  readonly missingTtlMs: number;
  /** Used if there is no place for a question. */
  readonly unknown: Value;
  /** Whether an answer in memory that is not out of date may be used. Default: always. */
  readonly isUsable?: (remembered: MemoryEntry<Value>) => boolean;
  /** Default: `capacity` answers, which end with the process. */
  readonly memory?: LookupMemory<Value>;
  /** Subjects remembered at most, with and without an answer each. */
  readonly capacity: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Called once a look-up, and once more with `arrived`. */
  readonly onOutcome: OnLookup<Value>;
}

/** A question under way, and what look-ups get meanwhile. */
interface Open<Value> {
  readonly answer: Promise<Value>;
  readonly wait: Wait<Value>;
}

interface Wait<Value> {
  readonly start: number;
  /** Used at once if nobody waits for the answer, or nobody does any more. */
  instead: Value | undefined;
}

/**
 * One mechanism for every source: memory, missing answers, one question a subject, deadline, late answers, outcomes.
 * Values are never `undefined` or `null`. No method throws or rejects.
 */
export class Lookup<Subject, Value extends {}> {
  readonly #options: LookupOptions<Subject, Value>;
  readonly #memory: LookupMemory<Value>;
  readonly #missing;
  readonly #open = new Map<string, Open<Value>>();

  constructor(options: LookupOptions<Subject, Value>) {
    this.#options = options;
    this.#memory = options.memory ?? createTwoGenerationCache<MemoryEntry<Value>>(options.capacity);
    this.#missing = createTwoGenerationCache<MemoryEntry<Value>>(options.capacity);
  }

  /** Answers at once from memory, else within the deadline. `onOutcome` is called at once if there is nothing to wait for. */
  lookup(subject: Subject): Awaitable<Value> {
    return this.tryLookup(subject) ?? this.#busy();
  }

  /** Looks up as `lookup` does; `undefined`, without an outcome, if there is no place for a question now. */
  tryLookup(subject: Subject): Awaitable<Value> | undefined {
    const key = this.#options.keyOf(subject);
    const known = this.#recall(key);
    if (known !== undefined) return this.#finish('cache', known.value);
    const loading = this.#memory.load?.(key);
    if (loading === undefined) return this.#ask(key, subject);
    return loading.then(() => this.#ask(key, subject) ?? this.#busy());
  }

  /** Whether memory has an answer about the subject, out of date or not. */
  wasAnswered(subject: Subject): boolean {
    return this.#memory.get(this.#options.keyOf(subject)) !== undefined;
  }

  /** Answer that look-ups get from memory now, until it is out of date. */
  remembered(subject: Subject): (RememberedAnswer & { readonly value: Value }) | undefined {
    const { keyOf, clock } = this.#options;
    const key = keyOf(subject);
    const known = this.#recall(key);
    // While a question is under way, its answer may come at any time.
    if (known === undefined || this.#open.has(key)) return undefined;
    const { value, until } = known;
    return { value, until, isCurrent: () => until > clock() };
  }

  /** Subjects without an answer may be asked about again at once, also those whose answer is late. */
  forgetMissing(): void {
    this.#missing.clear();
    for (const [key, { wait }] of this.#open) if (wait.instead !== undefined) this.#open.delete(key);
  }

  #recall(key: string): MemoryEntry<Value> | undefined {
    const { clock, isUsable = () => true } = this.#options;
    const now = clock();
    const known = this.#memory.get(key);
    if (known !== undefined && known.until > now && isUsable(known)) return known;
    const missing = this.#missing.get(key);
    return missing !== undefined && missing.until > now && isUsable(missing) ? missing : undefined;
  }

  /** Asks, unless the answer came while memory was loaded. */
  #ask(key: string, subject: Subject): Awaitable<Value> | undefined {
    const known = this.#memory.load === undefined ? undefined : this.#recall(key);
    if (known !== undefined) return this.#finish('cache', known.value);
    const open = this.#open.get(key);
    if (open?.wait.instead !== undefined) return this.#finish('cache', open.wait.instead);
    if (open !== undefined) {
      this.#options.onOutcome('shared', 0, undefined);
      return open.answer;
    }
    const question = this.#options.ask(subject);
    if (question === undefined) return undefined;
    if ('answer' in question) return this.#follow(key, question);
    if (question.isRemembered === true) this.#rememberMissing(key, question.value);
    return this.#finish(question.outcome, question.value);
  }

  #follow(key: string, question: Question<Value>): Awaitable<Value> {
    const { instead } = question;
    const wait: Wait<Value> = { start: this.#options.clock(), instead: instead?.value };
    const answer = new Promise<Value>((resolve) => {
      const miss = () => {
        const { outcome, value } = question.missed();
        wait.instead = value;
        this.#report(outcome, wait.start, value);
        resolve(value);
      };
      const deadline = instead === undefined ? setTimeout(miss, this.#options.deadlineMs) : undefined;
      void question.answer.then((found) => {
        clearTimeout(deadline);
        resolve(this.#noteAnswer(key, wait, found));
      });
    });
    this.#open.set(key, { answer, wait });
    return instead === undefined ? answer : this.#finish(instead.outcome, instead.value);
  }

  #noteAnswer(key: string, wait: Wait<Value>, found: LookupAnswer<Value> | Substitute<Value>): Value {
    const { start, instead } = wait;
    const { value } = found;
    const isCurrent = this.#open.get(key)?.wait === wait;
    if (isCurrent) this.#open.delete(key);
    if ('outcome' in found) {
      if (isCurrent) this.#rememberMissing(key, value);
      if (instead === undefined) this.#report(found.outcome, start, value);
      return value;
    }
    const learnedAt = this.#options.clock();
    if (found.ttlMs > 0) this.#memory.set(key, { value, learnedAt, until: learnedAt + found.ttlMs });
    this.#report(instead === undefined ? 'answered' : 'arrived', start, value);
    return value;
  }

  #rememberMissing(key: string, value: Value): void {
    const { clock, missingTtlMs } = this.#options;
    const learnedAt = clock();
    this.#missing.set(key, { value, learnedAt, until: learnedAt + missingTtlMs });
  }

  #busy(): Value {
    return this.#finish('busy', this.#options.unknown);
  }

  #finish(outcome: LookupOutcome, value: Value): Value {
    this.#options.onOutcome(outcome, 0, value);
    return value;
  }

  #report(outcome: LookupOutcome, start: number, value: Value): void {
    this.#options.onOutcome(outcome, this.#options.clock() - start, value);
  }
}
