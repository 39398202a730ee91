/** Serves the operations of the contract: authentication, limits, body and validation, in the decided order. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Directory } from '../accounts/directory.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { Operation } from '../contract/operations.ts';
import { Problem } from '../contract/problem.ts';
import { collectBody, createReadMessage, type ReadMessage } from './body.ts';
import { authenticate } from './caller.ts';
import type { ToErrorResponse } from './problems.ts';
import { RequestContext } from './request-context.ts';

/** Told of every answer: counts it, times it, and logs it where that is wished. */
export type Answered = (
  about: Pick<RequestContext, 'operation' | 'verdict' | 'started' | 'id'>,
  status: number,
) => void;

export interface Handling<Body> {
  /** Handles a body that cannot be used, by refusing it; without this it is refused at once. @throws Problem */
  refuse?(exchange: RequestContext, why: Problem): Promise<string>;
  /** Returns the body text of the 200. @throws Problem */
  handle(exchange: RequestContext, body: Body): Promise<string>;
}

/** A path that operations answer, and the methods they answer it for. */
export interface ServedPath {
  readonly path: RegExp;
  readonly methods: readonly string[];
}

export interface Operations {
  register<Body = undefined>(operation: Operation, handling: Handling<Body>): void;
  /** Answers a request that is for an operation; `false` leaves it to others. */
  serve(request: IncomingMessage, response: ServerResponse): boolean;
  paths(): ServedPath[];
}

export interface OperationsOptions {
  readonly directory: Directory;
  readonly refuse: ToErrorResponse;
  readonly answered: Answered;
  readonly makeId: MakeId;
  readonly clock: () => number;
  readonly ready: () => boolean;
  /** Waits a moment for the service to be able to answer; resolves to whether it is. */
  readonly becomeReady: () => Promise<boolean>;
  readonly stopping: () => boolean;
}

interface Route extends Handling<never> {
  readonly id: string;
  readonly methods: readonly string[];
  /** Absent where the operation has no body. */
  readonly read: ReadMessage | undefined;
}

/** Of a target in absolute form, as a proxy is asked. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;
const PARAM = /\{\w+\}$/;
const LONGEST_PARAM = 16 * 1024;

/**
 * Operations stand directly on Node's HTTP server: they are what the service is timed by, and a framework's request and
 * reply objects cost as much as an assessment. Everything else goes through Fastify.
 */
export function createOperations(options: OperationsOptions): Operations {
  const { directory, refuse, answered, makeId, clock, ready, becomeReady, stopping } = options;
  /** By the path, up to its parameter where it has one. */
  const routes = new Map<string, Route[]>();

  function find(method: string, path: string): Route | undefined {
    const route = routes.get(path)?.find(({ methods }) => methods.includes(method));
    return route;
  }

  function fail(exchange: RequestContext, error: unknown): void {
    const { status, headers, body } = refuse(error, exchange.id);
    for (const [name, value] of Object.entries(headers)) {
      if (name !== 'Connection' || !stopping()) exchange.header(name, value);
    }
    answered(exchange, status);
    exchange.send(status, body);
  }

  function run(route: Route, exchange: RequestContext, bytes: Buffer | undefined): void {
    let body: unknown;
    try {
      body = bytes === undefined ? undefined : route.read?.(bytes);
    } catch (error) {
      refuseBody(route, exchange, error);
      return;
    }
    settle(exchange, route.handle(exchange, body as never));
  }

  function refuseBody(route: Route, exchange: RequestContext, why: unknown): void {
    if (route.refuse === undefined || !(why instanceof Problem)) fail(exchange, why);
    else settle(exchange, route.refuse(exchange, why));
  }

  function settle(exchange: RequestContext, handling: Promise<string>): void {
    handling
      .then((text) => {
        answered(exchange, OK);
        exchange.send(OK, text);
      })
      .catch((error: unknown) => fail(exchange, error));
  }

  function proceed(route: Route, exchange: RequestContext): void {
    if (route.read === undefined) run(route, exchange, undefined);
    else
      collectBody(
        exchange.request,
        (bytes) => {
          noteArrival(exchange);
          run(route, exchange, bytes);
        },
        (problem) => {
          noteArrival(exchange);
          refuseBody(route, exchange, problem);
        },
      );
  }

  function noteArrival(exchange: RequestContext): void {
    const at = clock();
    if (at !== exchange.at) exchange.restamp({ id: makeId('req', at), at, started: performance.now() });
  }

  function begin(route: Route, exchange: RequestContext): void {
    const { request } = exchange;
    if (stopping()) exchange.header('Connection', 'close');
    if (request.httpVersion === '1.1' && request.headers.host === undefined) {
      fail(exchange, new Problem('bad_request'));
      return;
    }
    if (ready()) admit(route, exchange);
    else
      void becomeReady().then((isReady) =>
        isReady ? admit(route, exchange) : fail(exchange, new Problem('unavailable')),
      );
  }

  function admit(route: Route, exchange: RequestContext): void {
    try {
      exchange.caller = authenticate(directory, exchange.request.headers.authorization, exchange.at);
    } catch (error) {
      fail(exchange, error);
      return;
    }
    proceed(route, exchange);
  }

  return {
    register(operation, handling) {
      const { id, method, path, request } = operation;
      const route = {
        id,
        methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
        read: request === undefined ? undefined : createReadMessage(request),
        refuse: handling.refuse,
        handle: handling.handle,
      } as Route;
      const key = path.replace(PARAM, '');
      routes.set(key, [...(routes.get(key) ?? []), route]);
    },
    serve(request, response) {
      const { url: target = '', method = '' } = request;
      const url = target.startsWith('/') ? target : target.replace(ORIGIN, '');
      const query = url.indexOf('?');
      const path = query < 0 ? url : url.slice(0, query);
      let route = find(method, path);
      let param: string | undefined = '';
      if (route === undefined || path.endsWith('/')) {
        const start = path.lastIndexOf('/') + 1;
        route = find(method, path.slice(0, start));
        param = decode(path.slice(start));
        if (route === undefined || param === undefined) return false;
      }
      const at = clock();
      const id = makeId('req', at);
      const started = performance.now();
      begin(route, new RequestContext(request, response, { operation: route.id, id, at, started, param }));
      return true;
    },
    paths: () =>
      [...routes].map(([key, served]) => ({
        path: new RegExp(`^${key}${key.endsWith('/') ? '[^/]+' : ''}$`),
        methods: served.flatMap(({ methods }) => methods),
      })),
  };
}

const OK = 200;

function decode(text: string): string | undefined {
  if (text.length > LONGEST_PARAM) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
