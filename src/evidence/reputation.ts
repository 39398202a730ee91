/** Decides what several upstreams say together of one domain or address. */
import type { Hit } from '../model/evidence.ts';
import type { Upstream, UpstreamAnswer } from './reputation-upstream.ts';

export interface Reputation {
  /** Π(1 − weight / 100) over the listings; 1 without any. */
  readonly innocence: number;
  readonly hits: readonly Hit[];
  /** Ids of the upstreams that did not answer in time. */
  readonly unknown: readonly string[];
}

export interface ReputationLookup<S> {
  /** Never rejects. */
  lookup(subject: S): Promise<Reputation>;
}

export const NO_REPUTATION: Reputation = { innocence: 1, hits: [], unknown: [] };

/** `undefined` without upstreams: then there is nobody to ask. */
export function createReputation<S>(options: {
  readonly upstreams: readonly Upstream<S>[];
  /** What a listing says of its subject. */
  readonly fact: string;
}): ReputationLookup<S> | undefined {
  const { upstreams, fact } = options;

  function settle(answers: readonly UpstreamAnswer[]): Reputation {
    if (answers.every((answer) => answer === 'clear')) return NO_REPUTATION;
    let innocence = 1;
    const hits: Hit[] = [];
    const unknown: string[] = [];
    answers.forEach((answer, at) => {
      const { id } = upstreams[at] as Upstream<S>;
      if (answer === 'unknown') unknown.push(id);
      if (typeof answer === 'string') return;
      innocence *= 1 - answer.weight / 100;
      hits.push({ fact, source: id, entry: answer.entry });
    });
    return { innocence, hits, unknown };
  }

  if (upstreams.length === 0) return undefined;
  return {
    lookup: async (subject) =>
      settle(await Promise.all(upstreams.map((upstream) => upstream.lookup(subject)))),
  };
}

/** An abuse score and what upstreams add to it, as independent evidence: 0 … 100. */
export function addAbuse(score: number, { innocence }: Reputation): number {
  return innocence === 1 ? score : Math.round(100 * (1 - (1 - score / 100) * innocence));
}
