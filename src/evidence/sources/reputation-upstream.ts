/** Decides what one reputation service says about a subject, and whether it can be trusted. */
import { type Canary, type CanaryIntervals, createCanary, majorityOf } from './canary.ts';
import { Lookup, type LookupAnswer, type LookupOutcome, type Substitute } from './lookup.ts';
import { RemoteSource } from './remote-source.ts';

/** One entry of an upstream that matches the subject. */
export interface Listing {
  /** Weight as evidence of abuse, 1 … 100. */
  readonly weight: number;
  readonly entry: string;
}

export type UpstreamAnswer = Listing | 'clear' | 'unknown';

export interface Upstream<S> {
  /** Names it in hits: `abuseipdb`, `dnsbl:<zone>`. */
  readonly id: string;
  readonly canary: Canary;
  /** Never rejects. */
  lookup(subject: S): Promise<UpstreamAnswer>;
}

export interface UpstreamOptions<S> {
  readonly id: string;
  /** Equal for equal subjects. */
  readonly keyOf: (subject: S) => string;
  /** Rejects when the upstream gave no answer; with `SourceBusy` when it asks for a pause. Bounded in time. */
  readonly ask: (subject: S) => Promise<LookupAnswer<UpstreamAnswer>>;
  /** Subjects that must never be listed: an upstream that lists most of them lists everybody. */
  readonly controls: readonly S[];
  /** Intervals at which it is asked about them. */
  readonly controlIntervals: CanaryIntervals;
  /** Called when the upstream becomes distrusted or trusted again. */
  readonly onCanary: (canary: Canary) => void;
  /** Max. time that a lookup waits. */
  readonly deadlineMs: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Called with each outcome, as the metrics name it: those of `LookupOutcome`, `answered` as `listed` or `clear`. */
  readonly onOutcome: (outcome: string, milliseconds: number) => void;
}

/** Subjects remembered at most. */
const CAPACITY = 50_000;
/** Time that a subject that got no answer is not asked about again. */
const MISSING_TTL_MS = 30_000;
const MAX_OPEN = 64;
/** Minimum weight of a listing that counts against its subject. */
const ACCUSING_WEIGHT = 25;
const DISTRUSTED: Substitute<UpstreamAnswer> = { outcome: 'distrusted', value: 'unknown' };

export function createUpstream<S>(options: UpstreamOptions<S>): Upstream<S> {
  const { id, keyOf, ask, deadlineMs, clock, onOutcome } = options;
  const canary = createControls(options);
  const source = new RemoteSource<UpstreamAnswer>({
    deadlineMs,
    maxOpen: MAX_OPEN,
    maxQueued: 0,
    unknown: 'unknown',
    late: 'unknown',
    clock,
  });

  async function believe(found: LookupAnswer<UpstreamAnswer>) {
    return (await canary.believes(accuses(found.value))) ? found : DISTRUSTED;
  }

  const report = (outcome: LookupOutcome, milliseconds: number, value?: UpstreamAnswer) => {
    const verdict = value === 'clear' ? 'clear' : 'listed';
    onOutcome(outcome === 'answered' ? verdict : outcome, milliseconds);
  };

  const lookup = new Lookup<S, UpstreamAnswer>({
    keyOf,
    ask: (subject) => source.ask(() => ask(subject), believe),
    deadlineMs,
    missingTtlMs: MISSING_TTL_MS,
    unknown: 'unknown',
    isUsable: ({ learnedAt }) => canary.stillBelieves(learnedAt),
    capacity: CAPACITY,
    clock,
    onOutcome: report,
  });

  return {
    id,
    canary,
    async lookup(subject) {
      if (!canary.distrusted) return lookup.lookup(subject);
      report(DISTRUSTED.outcome, 0);
      return DISTRUSTED.value;
    },
  };
}

function accuses(answer: UpstreamAnswer): boolean {
  return typeof answer !== 'string' && answer.weight >= ACCUSING_WEIGHT;
}

/** Canary of an upstream, which is neither right nor wrong about a control without an answer. */
function createControls<S>(options: UpstreamOptions<S>): Canary {
  const { id, keyOf, ask, controls, controlIntervals: intervals, clock, onCanary: onChange } = options;

  async function round() {
    const answers = await Promise.allSettled(controls.map(ask));
    const judged = answers.flatMap((answer, at) =>
      answer.status === 'fulfilled'
        ? [{ name: keyOf(controls[at] as S), accused: accuses(answer.value.value) }]
        : [],
    );
    const wrong = judged.filter(({ accused }) => accused).map(({ name }) => name);
    return majorityOf(wrong, judged.length - wrong.length, controls.length);
  }

  return createCanary({ source: id, ask: round, intervals, clock, onChange });
}
