/** Knows what operators decided about mail hosts: to forget what was seen there, or never to flag one. */
import { ownerDomain } from '../address/domain.ts';

/** The part of a decision that changes evidence. */
export interface HostDecisionEffect {
  /** What a host is remembered by: see `hostKey`; or one of its addresses. */
  readonly key: string;
  /** How often it was forgotten. */
  readonly generation: number;
  readonly neverFlag: boolean;
}

/** The decisions that all nodes share. */
export interface HostDecisionSource {
  /** Grows with every decision. Cheap: asked several times a second. */
  hostDecisionsVersion(): Promise<number>;
  hostDecisionsSince(version: number): Promise<readonly HostDecisionEffect[]>;
}

export interface HostDecisions {
  /** Reads what was decided since the last time. @throws when it cannot be read */
  refresh(): Promise<void>;
  generationOf(key: string): number;
  isNeverFlagged(key: string): boolean;
}

export function createHostDecisions(source: HostDecisionSource): HostDecisions {
  const decisions = new Map<string, HostDecisionEffect>();
  let version = 0;
  return {
    async refresh() {
      const current = await source.hostDecisionsVersion();
      if (current === version) return;
      for (const decision of await source.hostDecisionsSince(version)) decisions.set(decision.key, decision);
      version = current;
    },
    generationOf: (key) => decisions.get(key)?.generation ?? 0,
    isNeverFlagged: (key) => decisions.get(key)?.neverFlag === true,
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
