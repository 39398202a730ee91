/** Message of the dashboard's API: a verdict without scores and names of detectors. */

/** A verdict in words for people who help customers. */
export interface PlainAnswer {
  /** Sentences for the colleague: what happened and why. */
  readonly answer: string;
  /** Sentence for the customer, to copy. */
  readonly advice: string;
}
