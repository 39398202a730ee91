/** `gatehouse-client/express`: middleware that decides about a signup before the route's handler runs. Express 4 and 5. */
import {
  type AdapterOptions,
  blockedAnswer,
  checkAdapterOptions,
  decideSignup,
  type SignupProtector,
} from './adapter.ts';
import type { SignupDecision } from './protect-signup.ts';

export { clientIp } from './client-ip.ts';

declare global {
  namespace Express {
    interface Request {
      /** The result of `protectSignup`; absent if it did not run. */
      gatehouse?: SignupDecision;
    }
  }
}

/** A request of Express as callbacks see it. Name the type of Express itself in a callback to see all of it. */
export interface ExpressRequest {
  // biome-ignore lint/suspicious/noExplicitAny: as Express itself: what a parser made of the body
  readonly body?: any;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket: { readonly remoteAddress?: string | undefined };
  gatehouse?: SignupDecision;
}

/** A response of Express as callbacks see it. */
export interface ExpressResponse {
  status(code: number): this;
  send(body?: unknown): this;
  json(body?: unknown): this;
  redirect(url: string): void;
  render(view: string, locals?: object): void;
}

export type ExpressHandler<Request, Response> = (
  request: Request,
  response: Response,
  next: (error?: unknown) => void,
) => unknown;

export interface ExpressOptions<Request, Response> extends AdapterOptions<Request> {
  /** Answers a text that cannot be an email address: show the form again. Default: 400 with JSON. */
  readonly onInvalid?: ExpressHandler<Request, Response> | undefined;
  /** Answers a blocked signup. Default: 403 with JSON. */
  readonly onBlock?: ExpressHandler<Request, Response> | undefined;
  /** Answers a signup that needs a proof. Default: the route's handler runs, and reads `request.gatehouse.decision`. */
  readonly onChallenge?: ExpressHandler<Request, Response> | undefined;
}

/**
 * Middleware for the route of the form, after the parser of its body. It sets `request.gatehouse`. An error, also in a
 * callback, goes to `next(error)`.
 * @throws OptionsError
 */
export function protectSignup<
  Request extends ExpressRequest = ExpressRequest,
  Response extends ExpressResponse = ExpressResponse,
>(
  gatehouse: SignupProtector,
  options: ExpressOptions<Request, Response>,
): (request: Request, response: Response, next: (error?: unknown) => void) => Promise<void> {
  checkAdapterOptions(gatehouse, options);
  const { onInvalid = answerBlocked, onBlock = answerBlocked, onChallenge, ...reading } = options;
  return async (request, response, next) => {
    try {
      const decision = await decideSignup(gatehouse, reading, request, request, isParsed(request));
      request.gatehouse = decision;
      const handler = { allow: undefined, challenge: onChallenge, block: onBlock, invalid: onInvalid }[
        decision.decision
      ];
      if (handler !== undefined) {
        await handler(request, response, next);
        return;
      }
    } catch (error) {
      next(error);
      return;
    }
    next();
  };
}

function isParsed({ body }: ExpressRequest): boolean {
  return body !== undefined && body !== null;
}

function answerBlocked(request: ExpressRequest, response: ExpressResponse): void {
  const { status, body } = blockedAnswer(request.gatehouse as SignupDecision);
  response.status(status).json(body);
}
