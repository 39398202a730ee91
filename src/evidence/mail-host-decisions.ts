/** Keeps what operators decided about mail hosts: to forget what was seen there, or never to flag one. */
import { ownerDomain } from '../address/domain.ts';

export interface HostRuling {
  /** What a host is remembered by: see `hostKey`; or one of its addresses. */
  readonly key: string;
  /** How often it was forgotten. */
  readonly generation: number;
  readonly neverFlag: boolean;
}

/** Where decisions are kept, by all nodes. */
export interface HostDecisionSource {
  /** Grows with every decision. Cheap: asked several times a second. */
  hostDecisionsVersion(): Promise<number>;
  hostDecisionsSince(version: number): Promise<readonly HostRuling[]>;
}

export interface HostDecisions {
  /** Reads what was decided since the last time. @throws when it cannot be read */
  refresh(): Promise<void>;
  generationOf(key: string): number;
  isNeverFlagged(key: string): boolean;
}

export function createHostDecisions(source: HostDecisionSource): HostDecisions {
  const rulings = new Map<string, HostRuling>();
  let version = 0;
  return {
    async refresh() {
      const current = await source.hostDecisionsVersion();
      if (current === version) return;
      for (const ruling of await source.hostDecisionsSince(version)) rulings.set(ruling.key, ruling);
      version = current;
    },
    generationOf: (key) => rulings.get(key)?.generation ?? 0,
    isNeverFlagged: (key) => rulings.get(key)?.neverFlag === true,
  };
}

/** All hosts of one owner are remembered together: `*.example.net` for `mx7.example.net`. */
export function hostKey(host: string): string {
  const owner = ownerDomain(host);
  return owner === undefined ? host : `*.${owner}`;
}

export function recordName(key: string): string {
  return `host-record:${key}`;
}
