/** `gatehouse-client/hono`: middleware that decides about a signup before the route's handler runs, on every runtime of Hono. */
import {
  type AdapterOptions,
  blockedAnswer,
  checkAdapterOptions,
  decideSignup,
  type SignupProtector,
} from './adapter.ts';
import { type ClientIpOptions, type FetchHeaders, clientIp as ipOfRequest } from './client-ip.ts';
import type { SignupDecision } from './protect-signup.ts';

// @ts-expect-error: Hono is there where this file is used, but not where it is built
declare module 'hono' {
  interface ContextVariableMap {
    /** Decision of `protectSignup`; absent where it did not run. */
    gatehouse: SignupDecision;
  }
}

/** A context of Hono as callbacks see it. Name the type of Hono itself in a callback to see all of it. */
export interface HonoContext {
  readonly req: {
    readonly url: string;
    readonly raw: { readonly headers: FetchHeaders };
    // biome-ignore lint/suspicious/noExplicitAny: as Hono itself
    json(): Promise<any>;
    parseBody(): Promise<Record<string, unknown>>;
    header(name: string): string | undefined;
  };
  /** Bindings of the runtime; `@hono/node-server` gives the request of Node.js. */
  readonly env: unknown;
  get(key: 'gatehouse'): SignupDecision;
  set(key: 'gatehouse', value: SignupDecision): void;
  html(content: string, status?: number): Response | Promise<Response>;
  json(content: object, status?: number): Response;
  text(content: string, status?: number): Response;
  redirect(url: string, status?: number): Response;
}

/** Handler of a route: it returns the answer. */
export type HonoHandler<Context> = (context: Context) => Response | Promise<Response>;

export interface HonoOptions<Context> extends AdapterOptions<Context> {
  /** Answers a text that cannot be an email address: show the form again. Default: 400 with JSON. */
  readonly onInvalid?: HonoHandler<Context> | undefined;
  /** Answers a blocked signup. Default: 403 with JSON. */
  readonly onBlock?: HonoHandler<Context> | undefined;
  /** Answers a signup that needs a proof. Default: the route's handler runs, and reads `c.get('gatehouse').decision`. */
  readonly onChallenge?: HonoHandler<Context> | undefined;
}

/** Bindings that `@hono/node-server` puts into `c.env`, directly or beside other bindings. */
interface NodeBindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } };
  readonly server?: NodeBindings;
}

/**
 * Middleware for the route of the form. It sets the variable `gatehouse`. Errors, also those of a callback, go to
 * `app.onError`.
 *
 * The peer is known with `@hono/node-server`. On other runtimes name a proxy in `trustedProxies`, or give `peer`:
 * `(c) => getConnInfo(c).remote.address`, with the `getConnInfo` of that runtime.
 * @throws OptionsError
 */
export function protectSignup<Context extends HonoContext = HonoContext>(
  gatehouse: SignupProtector,
  options: HonoOptions<Context>,
): (context: Context, next: () => Promise<void>) => Promise<Response | undefined> {
  checkAdapterOptions(gatehouse, options);
  const {
    onInvalid = answerBlocked,
    onBlock = answerBlocked,
    onChallenge,
    peer = peerOf,
    ...reading
  } = options;
  return async (context, next) => {
    const decision = await decideSignup(gatehouse, { ...reading, peer }, context, context.req.raw);
    context.set('gatehouse', decision);
    const handler = { allow: undefined, challenge: onChallenge, block: onBlock, invalid: onInvalid }[
      decision.decision
    ];
    if (handler !== undefined) return handler(context);
    await next();
    return undefined;
  };
}

/** `clientIp` for a context of Hono. */
export function clientIp(
  context: Pick<HonoContext, 'req' | 'env'>,
  options: ClientIpOptions = {},
): string | null {
  return ipOfRequest(context.req.raw, { ...options, peer: options.peer ?? peerOf(context) });
}

function peerOf({ env }: Pick<HonoContext, 'env'>): string | undefined {
  const bindings = env as NodeBindings | undefined;
  return (bindings?.server ?? bindings)?.incoming?.socket?.remoteAddress;
}

function answerBlocked(context: HonoContext): Response {
  const { status, body } = blockedAnswer(context.get('gatehouse'));
  return context.json(body, status);
}
