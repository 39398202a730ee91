/** POST …/try: one assessment from the dashboard, made and answered as the public API would. */
import type { Directory } from '../accounts/directory.ts';
import { limitsOf } from '../accounts/plans.ts';
import type { TryResult } from '../contract/dashboard-account.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { AssessmentRequest } from '../contract/messages.ts';
import { Problem } from '../contract/problem.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { Account } from '../store/store.ts';
import type { AnswerSignup, SignupRequest } from './answer-signup.ts';
import { createReadMessage } from './body.ts';
import { DASHBOARD_KEY } from './dashboard-history.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, readMode, TEXT } from './dashboard-values.ts';
import { readOrProblem, type ToErrorResponse } from './problems.ts';

export interface TryOptions {
  readonly answerSignup: AnswerSignup;
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
      const headers: Record<string, string> = {};
      const signup = attemptOf(account, mode, now, options, headers);
      const answer = await answerLikeApi(signup, context.rawBody, options);
      const milliseconds = Math.round((performance.now() - signup.started) * 10) / 10;
      if (mode === 'live' && answer.status === OK) await audit('try.live', signup.id, 'one credit');
      return { ...answer, headers: { ...headers, ...answer.headers }, milliseconds };
    },
  });
}

function attemptOf(
  account: Account,
  mode: KeyMode,
  at: number,
  { directory, makeId }: TryOptions,
  headers: Record<string, string>,
): SignupRequest {
  const id = makeId('req', at);
  headers['X-Request-Id'] = id;
  const thresholds = directory.thresholdsOf(account.id);
  const policy = directory.policyOf(account.id);
  return {
    id,
    at,
    started: performance.now(),
    verdict: '',
    idempotencyKey: undefined,
    caller: {
      account,
      key: { id: DASHBOARD_KEY, mode, shadow: false },
      limits: limitsOf(account),
      thresholds,
      policy,
    },
    header(name, value) {
      headers[name] = String(value);
    },
  };
}

const readRequest = createReadMessage(AssessmentRequest);

/** A refusal is shown too, as the public API would answer it. */
async function answerLikeApi(
  signup: SignupRequest,
  bytes: Buffer,
  { answerSignup, toErrorResponse }: TryOptions,
): Promise<Omit<TryResult, 'milliseconds'>> {
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  try {
    const message = await readOrProblem(() => readRequest(bytes) as AssessmentRequest);
    const body = await answerSignup(signup, message);
    return { status: OK, headers, body };
  } catch (error) {
    const refusal = toErrorResponse(error, signup.id);
    return { ...refusal, headers: { ...refusal.headers, ...headers } };
  }
}
