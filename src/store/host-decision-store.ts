/** The port for what operators decided about mail hosts, on all nodes. */
import type { AuditEntries } from './dashboard-store.ts';

export interface HostDecision {
  /** What a host is remembered by, or one of its addresses. */
  readonly key: string;
  /** How often it was forgotten: what was learned under an earlier number does not count. */
  readonly generation: number;
  readonly neverFlag: boolean;
  /** Who decided last: email of the operator, or `command line (alice@host)`. */
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface HostDecisionChange {
  /** All are changed together. */
  readonly keys: readonly string[];
  /** Also removes the cache entries with these names: what was learned about the host. */
  readonly forget?: readonly string[];
  /** Stays as it is where absent. */
  readonly neverFlag?: boolean;
  readonly by: string;
  readonly at: number;
}

export interface HostDecisionStore {
  decideHosts(change: HostDecisionChange, ...audit: AuditEntries): Promise<void>;
  /** Grows with every decision, by any process. Cheap: asked several times a second. */
  hostDecisionsVersion(): Promise<number>;
  hostDecisionsSince(version: number): Promise<readonly HostDecision[]>;
}
