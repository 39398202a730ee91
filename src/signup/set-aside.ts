/** Finds what a shared office explains: the findings that are not counted against its people. */
import type { Evidence } from '../model/evidence.ts';
import { RULES } from './policy.ts';

/** A finding that was not counted. */
export interface SetAside {
  readonly detector: string;
  /** One sentence for people. */
  readonly detail: string;
}

/** Empty where it comes from no shared office, where an entry of the lists decides, or where there was nothing to set aside. */
export function setAsideBy(evidence: Evidence): SetAside[] {
  if (evidence.office === null || evidence.list !== null) return [];
  const strange = { ...evidence, office: null };
  return RULES.filter(({ applies }) => applies(strange) && !applies(evidence)).map(
    ({ detector, detail }) => ({
      detector,
      detail: detail(strange),
    }),
  );
}
