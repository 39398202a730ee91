/** An error of the service, with what it says for the person: its words, the field, and what others changed meanwhile. */
import type { MeanwhileChange } from '../../src/contract/problem.ts';

/** The member `error` of an error response. */
export interface ApiError {
  readonly code: string;
  readonly message: string;
  readonly param?: string;
  readonly resolution?: string;
  readonly progress?: { readonly indexed: number; readonly total: number };
  readonly meanwhile?: readonly MeanwhileChange[];
}

/** An error with the service's own message. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly code: string;
  readonly param: string | undefined;
  readonly resolution: string;
  /** Set if the service says when to retry. */
  readonly retryAfterSeconds: number | undefined;
  /** The progress of the work that the answer waits for. */
  readonly progress: { readonly indexed: number; readonly total: number } | undefined;
  /** Changes by others, since the page was read, that the person did not know of. */
  readonly meanwhile: readonly MeanwhileChange[] | undefined;
  /** Time at which it arrived, in milliseconds since the epoch. */
  readonly at = Date.now();

  constructor(status: number, error: ApiError, retryAfterSeconds?: number) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.param = error.param;
    this.resolution = error.resolution ?? '';
    this.retryAfterSeconds = retryAfterSeconds;
    this.progress = error.progress;
    this.meanwhile = error.meanwhile;
  }
}
