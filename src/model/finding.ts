/** One thing that the judge found in the evidence. */

/** `Code`: the public reason codes, which the contract names. */
export interface Finding<Code extends string | null = string> {
  /** Internal id of the detector. */
  readonly detector: string;
  readonly code: Code;
  /** Weight in this evaluation, above 0, at most 100, to one decimal. */
  readonly weight: number;
}

export interface DescribedFinding<Code extends string | null = string> extends Finding<Code> {
  /** One sentence for people. */
  readonly detail: string;
}
