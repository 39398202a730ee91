/** `gatehouse-client/next`: route handlers and server actions of the App Router that decide about a signup first. */
import {
  type AdapterOptions,
  blockedAnswer,
  checkAdapterOptions,
  decideSignup,
  type SignupProtector,
} from './adapter.ts';
import type { FetchHeaders, RequestLike } from './client-ip.ts';
import { OptionsError } from './errors.ts';
import type { FetchLike } from './exchange.ts';
import { Gatehouse } from './gatehouse.ts';
import type { GatehouseOptions } from './options.ts';
import type { SignupDecision, SignupInput } from './protect-signup.ts';

export { clientIp } from './client-ip.ts';

export interface NextGatehouse {
  protectSignup(request: RequestLike, input: SignupInput): Promise<SignupDecision>;
  /**
   * The client, for everything else.
   * @throws OptionsError
   */
  client(): Gatehouse;
}

export interface NextRouteOptions<Incoming, Context> extends AdapterOptions<Incoming> {
  /**
   * Your own checks (password, terms), with a copy of the request: what it returns is the answer, and nothing is asked.
   * `undefined`: the form is right.
   */
  readonly validate?:
    | ((request: Incoming, context: Context) => Response | undefined | Promise<Response | undefined>)
    | undefined;
  /** Answers a text that cannot be an email address: show the form again. Default: 400 with JSON. */
  readonly onInvalid?: RouteHandler<Incoming, Context> | undefined;
  /** Answers a blocked signup. Default: 403 with JSON. */
  readonly onBlock?: RouteHandler<Incoming, Context> | undefined;
  /** Answers a signup that needs a proof. Default: the handler runs, and reads `signup.decision`. */
  readonly onChallenge?: RouteHandler<Incoming, Context> | undefined;
}

export type RouteHandler<Incoming, Context> = (
  request: Incoming,
  signup: SignupDecision,
  context: Context,
) => Response | Promise<Response>;

export interface NextActionOptions<State> extends AdapterOptions<FormData> {
  /** `headers` of `next/headers`. */
  readonly headers: () => FetchHeaders | Promise<FetchHeaders>;
  /**
   * Your own checks (password, terms): what it returns is the new state, and nothing is asked. `undefined`: the form is right.
   */
  readonly validate?:
    | ((form: FormData, previous: State | undefined) => State | undefined | Promise<State | undefined>)
    | undefined;
  /** Result for a text that cannot be an email address: ask for another one. Default: `onBlock`. */
  readonly onInvalid?: ActionHandler<State> | undefined;
  /** Handler that gives the state of a blocked signup. */
  readonly onBlock: ActionHandler<State>;
  /** Handler that gives the state of a signup that needs a proof. Default: the action runs, and reads `signup.decision`. */
  readonly onChallenge?: ActionHandler<State> | undefined;
}

/** @param previous the state before, for an action of `useActionState` */
export type ActionHandler<State> = (
  form: FormData,
  signup: SignupDecision,
  previous: State | undefined,
) => State | Promise<State>;

/** Action for `<form action>` and for `useActionState`. */
export interface ServerAction<State> {
  (form: FormData): Promise<State>;
  (previous: State, form: FormData): Promise<State>;
}

/**
 * The client, made at the first signup: `next build` loads routes where the key is not set. Its calls are never
 * answered from the cache of Next.js.
 */
export function createGatehouse(options: GatehouseOptions): NextGatehouse {
  let made: Gatehouse | undefined;
  const client = (): Gatehouse => {
    made ??= new Gatehouse({ ...options, fetch: withoutCache(options.fetch) });
    return made;
  };
  return { client, protectSignup: async (request, input) => client().protectSignup(request, input) };
}

/**
 * A route handler: `export const POST = protectRoute(…)`. `email` gets a copy of the request, so that the handler can
 * read the body again.
 * @throws OptionsError
 */
export function protectRoute<Incoming extends Request = Request, Context = unknown>(
  gatehouse: SignupProtector,
  options: NextRouteOptions<Incoming, Context>,
  handler: RouteHandler<Incoming, Context>,
): (request: Incoming, context: Context) => Promise<Response> {
  checkAdapterOptions(gatehouse, options);
  const { validate, onInvalid = answerBlocked, onBlock = answerBlocked, ...others } = options;
  const { onChallenge = handler, ...reading } = others;
  const handlers = { allow: handler, challenge: onChallenge, block: onBlock, invalid: onInvalid };
  return async (request, context) => {
    const refusal = await validate?.(request.clone() as Incoming, context);
    if (refusal !== undefined) return refusal;
    const copy = request.clone() as Incoming;
    const signup = await decideSignup(gatehouse, reading, copy, request);
    return handlers[signup.decision](request, signup, context);
  };
}

/**
 * A server action: `export const signUp = protectAction(…)` in a file with `'use server'`.
 * @throws OptionsError
 */
export function protectAction<State>(
  gatehouse: SignupProtector,
  options: NextActionOptions<State>,
  action: ActionHandler<State>,
): ServerAction<State> {
  checkAdapterOptions(gatehouse, options);
  const { headers, validate, onBlock, onInvalid = onBlock, onChallenge = action, ...reading } = options;
  if (typeof headers !== 'function' || typeof onBlock !== 'function')
    throw new OptionsError('invalid_options', 'headers: of next/headers. onBlock: a function.');
  const handlers = { allow: action, challenge: onChallenge, block: onBlock, invalid: onInvalid };
  return async (...args: [FormData] | [State, FormData]) => {
    const form = args[args.length - 1] as FormData;
    const previous = args.length > 1 ? (args[0] as State) : undefined;
    const refusal = await validate?.(form, previous);
    if (refusal !== undefined) return refusal;
    const signup = await decideSignup(gatehouse, reading, form, await headers());
    return handlers[signup.decision](form, signup, previous);
  };
}

function answerBlocked(_request: unknown, signup: SignupDecision): Response {
  const { status, body } = blockedAnswer(signup);
  return Response.json(body, { status });
}

/** Next.js replaces the global `fetch`, so it is looked up at each call. */
function withoutCache(custom: FetchLike | undefined): FetchLike {
  return (url, init) => {
    const uncached = { ...init, cache: 'no-store' as const };
    return custom === undefined ? fetch(url, uncached) : custom(url, uncached);
  };
}
