/** `gatehouse-client/fastify`: a `preHandler` that decides about a signup before the route's handler runs. Fastify 4 and 5. */
import {
  type AdapterOptions,
  blockedAnswer,
  checkAdapterOptions,
  decideSignup,
  type SignupProtector,
} from './adapter.ts';
import type { SignupDecision } from './protect-signup.ts';

export { clientIp } from './client-ip.ts';

// @ts-expect-error: Fastify is there where this file is used, but not where it is built
declare module 'fastify' {
  interface FastifyRequest {
    /** The result of `protectSignup`; absent if it did not run. */
    gatehouse?: SignupDecision;
  }
}

/** A request of Fastify as callbacks see it. Name the type of Fastify itself in a callback to see all of it. */
export interface FastifyRequestLike {
  // biome-ignore lint/suspicious/noExplicitAny: what a parser made of the body, which a schema may have checked
  readonly body?: any;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly ip: string;
  readonly protocol: string;
  readonly raw: {
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly socket: { readonly remoteAddress?: string | undefined };
  };
  gatehouse?: SignupDecision;
}

/** A reply of Fastify as callbacks see it. */
export interface FastifyReplyLike {
  code(status: number): this;
  type(contentType: string): this;
  header(name: string, value: string): this;
  send(payload?: unknown): this;
  redirect(url: string): this;
}

/** Like a route's handler: it sends the answer, or returns it. */
export type FastifyHandler<Request, Reply> = (request: Request, reply: Reply) => unknown;

export interface FastifyOptions<Request, Reply> extends AdapterOptions<Request> {
  /** Answers a text that cannot be an email address: show the form again. Default: 400 with JSON. */
  readonly onInvalid?: FastifyHandler<Request, Reply> | undefined;
  /** Answers a blocked signup. Default: 403 with JSON. */
  readonly onBlock?: FastifyHandler<Request, Reply> | undefined;
  /** Answers a signup that needs a proof. Default: the route's handler runs, and reads `request.gatehouse.decision`. */
  readonly onChallenge?: FastifyHandler<Request, Reply> | undefined;
}

type Done = (error?: Error) => void;
/** The callbacks determine the type, not the place where the hook is used: Fastify's overloads would make it `never`. */
type NotInferred<T> = [T][T extends unknown ? 0 : never];

/**
 * A `preHandler` for the route of the form. It sets `request.gatehouse`. An error, also in a callback, goes to the
 * error handler.
 *
 * It has a callback and is not asynchronous: after an asynchronous hook that replied, Fastify runs the route's handler
 * all the same if an `onSend` hook is still busy. A blocked signup would get its account.
 * @throws OptionsError
 */
export function protectSignup<
  Request extends FastifyRequestLike = FastifyRequestLike,
  Reply extends FastifyReplyLike = FastifyReplyLike,
>(
  gatehouse: SignupProtector,
  options: FastifyOptions<Request, Reply>,
): (request: NotInferred<Request>, reply: NotInferred<Reply>, done: Done) => void {
  checkAdapterOptions(gatehouse, options);
  const { onInvalid = answerBlocked, onBlock = answerBlocked, onChallenge, ...reading } = options;

  /** @returns whether the route's handler should run */
  async function decide(request: Request, reply: Reply): Promise<boolean> {
    const decision = await decideSignup(gatehouse, reading, request, request.raw, isParsed(request));
    request.gatehouse = decision;
    const handler = { allow: undefined, challenge: onChallenge, block: onBlock, invalid: onInvalid }[
      decision.decision
    ];
    if (handler === undefined) return true;
    const payload = await handler(request, reply);
    if (payload !== undefined) reply.send(payload);
    return false;
  }

  return (request, reply, done) => {
    decide(request, reply).then(
      (goesOn) => {
        if (goesOn) done();
      },
      (error) => done(error),
    );
  };
}

function isParsed({ body }: FastifyRequestLike): boolean {
  return body !== undefined && body !== null;
}

function answerBlocked(request: FastifyRequestLike, reply: FastifyReplyLike): void {
  const { status, body } = blockedAnswer(request.gatehouse as SignupDecision);
  reply.code(status).send(body);
}
