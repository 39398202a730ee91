/** Decides the headers of an answer about a signup: the caller's limits, a replay, the verdict behind shadow mode. */
import { REPLAYED, SHADOW_HEADER } from '../contract/operations.ts';
import { shadowVerdictOf } from '../signup/answer.ts';
import type { AssessSignup, SignupAnswer } from '../signup/assess-signup.ts';
import type { Moment, SignupRequest } from '../signup/prepare-signup.ts';
import { LimitReached, type LimitReport } from '../signup/rate-limit.ts';
import type { RequestStamp } from './core/request-context.ts';

/** An answer whose headers are not sent yet. */
export interface HeaderTarget {
  /** Adds a header; each name at most once. */
  header(name: string, value: string | number): void;
}

/** Assesses a signup, and adds the headers of its answer, or of the refusal. */
export async function assessWithHeaders(
  target: HeaderTarget,
  assessSignup: AssessSignup,
  request: SignupRequest,
): Promise<SignupAnswer> {
  try {
    const answer = await assessSignup(request);
    if (answer.isReplay) target.header(REPLAYED, 'true');
    if (answer.shadowVerdict !== undefined) target.header(SHADOW_HEADER, answer.shadowVerdict);
    addLimitHeaders(target, answer.limits);
    return answer;
  } catch (error) {
    if (error instanceof LimitReached) addLimitHeaders(target, error.limits);
    throw error;
  }
}

export function addLimitHeaders(target: HeaderTarget, limits: LimitReport): void {
  target.header('X-RateLimit-Limit', limits.limit);
  target.header('X-RateLimit-Remaining', limits.remaining);
  target.header('X-RateLimit-Reset', limits.resetAt);
  target.header('X-Quota-Used', limits.used);
  target.header('X-Quota-Limit', limits.quota);
}

/** Says what the verdict of a stored answer would be, where it was answered in shadow mode. */
export function addShadowHeader(target: HeaderTarget, body: string): void {
  const verdict = shadowVerdictOf(body);
  if (verdict !== undefined) target.header(SHADOW_HEADER, verdict);
}

export function momentOf({ id, at, started }: RequestStamp): Moment {
  return { requestId: id, at, started };
}
