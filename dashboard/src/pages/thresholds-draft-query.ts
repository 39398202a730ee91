/** Reads unsaved thresholds and weights from the URL, and writes them there: `?challenge=24&block=48&w.vpn=40`. */
import type { Thresholds } from '../../../src/model/policy.ts';

export interface InForce {
  readonly thresholds: Thresholds;
  /** Weights by detector. */
  readonly weights: ReadonlyMap<string, number>;
  /** The maximum weight of a detector, if it is below 100. */
  readonly maxWeights: ReadonlyMap<string, number>;
}

export interface DraftValues {
  readonly thresholds: Thresholds;
  /** Weights that differ from the current ones, by detector. */
  readonly weights: Readonly<Record<string, number>>;
}

/** Changes of a query; `undefined` removes a member. */
export type QueryChanges = Readonly<Record<string, string | undefined>>;

const WEIGHT = 'w.';

/** Ignores what is not a number, and weights of unknown detectors; clamps what is out of range. */
export function readDraft(search: URLSearchParams, inForce: InForce): DraftValues {
  const block = wholeNumber(search.get('block')) ?? inForce.thresholds.block;
  const challenge = wholeNumber(search.get('challenge')) ?? inForce.thresholds.challenge;
  const weights: Record<string, number> = {};
  for (const [detector, current] of inForce.weights) {
    const weight = decimal(search.get(WEIGHT + detector), inForce.maxWeights.get(detector) ?? 100);
    if (weight !== undefined && weight !== current) weights[detector] = weight;
  }
  return { thresholds: { challenge: Math.min(challenge, block), block }, weights };
}

/** Both thresholds, so that a link keeps its meaning after the current ones change; none if they are the current ones. */
export function thresholdsQuery({ challenge, block }: Thresholds, inForce: InForce): QueryChanges {
  const same = challenge === inForce.thresholds.challenge && block === inForce.thresholds.block;
  return same ? NO_THRESHOLDS : { challenge: String(challenge), block: String(block) };
}

export const NO_THRESHOLDS: QueryChanges = { challenge: undefined, block: undefined };

export function weightsQuery(weights: Readonly<Record<string, number>>, inForce: InForce): QueryChanges {
  return Object.fromEntries(
    Object.entries(weights).map(([detector, weight]) => [
      WEIGHT + detector,
      weight === inForce.weights.get(detector) ? undefined : String(weight),
    ]),
  );
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^-?\d+$/.test(text) ? clamp(Number(text), 1, 100) : undefined;
}

function decimal(text: string | null, max: number): number | undefined {
  if (text === null || !/^-?\d+(\.\d+)?$/.test(text)) return undefined;
  return Math.round(clamp(Number(text), 0, max) * 10) / 10;
}

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));
