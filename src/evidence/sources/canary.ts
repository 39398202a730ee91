/** Decides whether a source can be trusted, by asking it about well-known names: if most of these answers are wrong, no answer counts. */

/** Result of one round of control questions. */
export interface CanaryRound {
  /** `undecided`: too few answers; the canary does not change. */
  readonly outcome: 'right' | 'wrong' | 'undecided';
  /** The controls with wrong answers. */
  readonly wrong: readonly string[];
  /** Controls that had a right answer. */
  readonly right: number;
}

/** Intervals at which the controls are asked, milliseconds. */
export interface CanaryIntervals {
  /** Interval, also asked at the start; `null`: only when there are accusations. */
  readonly everyMs: number | null;
  /** Max. age of a round with which an accusation counts without asking the controls. */
  readonly freshMs: number;
  /** `freshMs` for a time when many of the last answers accuse. */
  readonly burstMs: number;
  /** Interval of the controls while the source is distrusted; after an undecided round, with the next accusation. */
  readonly retryMs: number;
}

export interface CanaryOptions {
  /** Name of the source in evidence: `dns`, `rdap`, `abuseipdb`, `dnsbl:<zone>`. */
  readonly source: string;
  /** Asks the controls once. Must end within seconds; a rejection counts as undecided. */
  readonly ask: () => Promise<CanaryRound>;
  readonly intervals: CanaryIntervals;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Called when the source becomes distrusted or trusted again. */
  readonly onChange?: (canary: Canary) => void;
}

export interface Canary {
  readonly source: string;
  /** True while no answer of the source is evidence. */
  readonly distrusted: boolean;
  /** The controls with wrong answers; empty unless distrusted. */
  readonly wrong: readonly string[];
  /** Time since which it is distrusted, or trusted again, milliseconds since the epoch; 0 if it was always trusted. */
  readonly since: number;
  /**
   * Whether a new answer of the source counts. If the controls were not asked recently, an accusing answer
   * waits for them. Never rejects.
   */
  believes(accuses: boolean): Promise<boolean>;
  /** Whether an accusing answer from that time, milliseconds since the epoch, still counts. */
  stillBelieves(learnedAt: number): boolean;
  /** Asks the controls now and from time to time. Resolves to the result of the first round. */
  start(): Promise<CanaryRound['outcome']>;
  close(): void;
}

const WINDOW = 20;
const MIN_SAMPLES = 8;
/** A greater share of accusations in the window is a burst. */
const BURST_SHARE = 0.5;

export function createCanary(options: CanaryOptions): Canary {
  return new Controls(options);
}

/** Canary of a source without controls, which is always trusted. */
export function createNoCanary(source: string): Canary {
  return {
    source,
    distrusted: false,
    wrong: [],
    since: 0,
    believes: async () => true,
    stillBelieves: () => true,
    start: async () => 'right',
    close: () => {},
  };
}

/** A single control may have changed, so more than half of all controls must be wrong. */
export function majorityOf(wrong: readonly string[], right: number, controls: number): CanaryRound {
  if (wrong.length * 2 > controls) return { outcome: 'wrong', wrong, right };
  return { outcome: right * 2 > controls ? 'right' : 'undecided', wrong, right };
}

class Controls implements Canary {
  readonly source: string;
  distrusted = false;
  wrong: readonly string[] = [];
  since = 0;
  readonly #options: CanaryOptions;
  #samples: boolean[] = [];
  #pending: Promise<CanaryRound['outcome']> | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #undecided = false;
  /** Whether the source ever answered more controls right than wrong: until then its accusations do not count. */
  #proven = false;
  #started = false;
  #closed = false;

  constructor(options: CanaryOptions) {
    this.source = options.source;
    this.#options = options;
  }

  async believes(accuses: boolean): Promise<boolean> {
    this.#samples.push(accuses);
    if (this.#samples.length > WINDOW) this.#samples.shift();
    if (!accuses) return !this.distrusted;
    if (this.#options.clock() - this.#askedAt >= this.#validMs()) void this.#ask();
    // An answer from the time of distrust does not count, even if the source is trusted again meanwhile.
    if (!this.distrusted) await this.#pending;
    return this.#proven && !this.distrusted;
  }

  stillBelieves(learnedAt: number): boolean {
    return !this.distrusted && learnedAt >= this.since;
  }

  start(): Promise<CanaryRound['outcome']> {
    this.#started = true;
    if (this.#options.intervals.everyMs === null) return Promise.resolve('right');
    return this.#ask();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** Time that the last round is valid. */
  #validMs(): number {
    const { freshMs, burstMs, retryMs } = this.#options.intervals;
    if (this.distrusted || this.#undecided) return retryMs;
    const accusing = this.#samples.filter((accuses) => accuses).length;
    const burst = this.#samples.length >= MIN_SAMPLES && accusing > this.#samples.length * BURST_SHARE;
    return burst ? burstMs : freshMs;
  }

  /** One round at a time. */
  #ask(): Promise<CanaryRound['outcome']> {
    clearTimeout(this.#timer);
    this.#pending ??= this.#options
      .ask()
      .catch((): CanaryRound => ({ outcome: 'undecided', wrong: [], right: 0 }))
      .then((round) => {
        this.#pending = undefined;
        this.#askedAt = this.#options.clock();
        this.#noteRound(round);
        this.#plan();
        return round.outcome;
      });
    return this.#pending;
  }

  #noteRound({ outcome, wrong, right }: CanaryRound): void {
    this.#undecided = outcome === 'undecided';
    this.#proven ||= right > wrong.length;
    if (outcome === 'undecided' || this.#closed) return;
    const distrusted = outcome === 'wrong';
    this.wrong = distrusted ? wrong : [];
    if (distrusted === this.distrusted) return;
    this.distrusted = distrusted;
    this.since = this.#options.clock();
    this.#samples = [];
    this.#options.onChange?.(this);
  }

  #plan(): void {
    const { everyMs, retryMs } = this.#options.intervals;
    const pauseMs = this.distrusted ? retryMs : this.#started ? everyMs : null;
    if (pauseMs === null || this.#closed) return;
    this.#timer = setTimeout(() => void this.#ask(), pauseMs).unref();
  }
}
