/** POST …/try: one assessment from the dashboard, made and answered as the public API would. */
import type { Directory } from '../accounts/directory.ts';
import { limitsOf } from '../accounts/plans.ts';
import type { TryResult } from '../contract/dashboard-account.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { AssessmentRequest } from '../contract/messages.ts';
import { Problem } from '../contract/problem.ts';
import { MAX_SHARE } from '../model/enforced-share.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { AssessSignup } from '../signup/assess-signup.ts';
import type { Moment } from '../signup/prepare-signup.ts';
import type { SignupCaller } from '../signup/signup-caller.ts';
import type { Account } from '../store/store.ts';
import { createReadMessage } from './core/body.ts';
import { readOrProblem, type ToErrorResponse } from './core/problems.ts';
import { DASHBOARD_KEY } from './dashboard-history.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, readMode, TEXT } from './dashboard-values.ts';
import { assessWithHeaders } from './signup-headers.ts';

export interface TryOptions {
  readonly assessSignup: AssessSignup;
  readonly directory: Directory;
  readonly toErrorResponse: ToErrorResponse;
  readonly makeId: MakeId;
}

interface TryBody {
  readonly mode: KeyMode;
}

const OK = 200;

export function tryRoute(routes: DashboardRoutes, options: TryOptions): void {
  routes.forAccount<TryBody>({
    method: 'POST',
    path: '/accounts/:account/try',
    minRole: 'member',
    body: bodyOf({ mode: TEXT }),
    async handle({ account, role, body, context, now, audit }): Promise<TryResult> {
      const mode = readMode(body.mode);
      if (mode === 'live' && role !== 'owner') {
        throw new Problem('forbidden', undefined, {
          message: 'A live request costs a credit, so only owners can send one here.',
          resolution: 'Try it in the sandbox, or ask an owner of the account.',
        });
      }
      const moment = { requestId: options.makeId('req', now), at: now, started: performance.now() };
      const answer = await answerLikeApi(callerOf(account, mode, options), moment, context.rawBody, options);
      const milliseconds = Math.round((performance.now() - moment.started) * 10) / 10;
      if (mode === 'live' && answer.status === OK) await audit('try.live', moment.requestId, 'one credit');
      return { ...answer, milliseconds };
    },
  });
}

function callerOf(
  account: Account,
  mode: KeyMode,
  { directory }: Pick<TryOptions, 'directory'>,
): SignupCaller {
  return {
    account,
    key: { id: DASHBOARD_KEY, mode, enforcedShare: MAX_SHARE },
    limits: limitsOf(account),
    thresholds: directory.thresholdsOf(account.id),
    policy: directory.policyOf(account.id),
  };
}

const readRequest = createReadMessage(AssessmentRequest);

/** A refusal is shown too, as the public API would answer it. */
async function answerLikeApi(
  caller: SignupCaller,
  moment: Moment,
  bytes: Buffer,
  { assessSignup, toErrorResponse }: TryOptions,
): Promise<Omit<TryResult, 'milliseconds'>> {
  const headers: Record<string, string> = { 'X-Request-Id': moment.requestId };
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  const target = {
    header(name: string, value: string | number) {
      headers[name] = String(value);
    },
  };
  try {
    const message = await readOrProblem(async () => readRequest(bytes) as AssessmentRequest);
    const request = { caller, message, idempotencyKey: undefined, moment };
    const { body } = await assessWithHeaders(target, assessSignup, request);
    return { status: OK, headers: { ...headers, ...type }, body };
  } catch (error) {
    const refusal = toErrorResponse(error, moment.requestId);
    return { ...refusal, headers: { ...headers, ...refusal.headers, ...type } };
  }
}
