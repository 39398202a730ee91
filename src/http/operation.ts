/** Registers an operation of the contract: authentication, limits, body and validation, in the decided order. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Directory } from '../accounts/directory.ts';
import type { Operation } from '../contract/operations.ts';
import { readJson } from './body.ts';
import { authenticate } from './caller.ts';

declare module 'fastify' {
  interface FastifyInstance {
    directory: Directory;
    /** Told of every answer: counts it, times it, and logs it where that is wished. */
    answered(request: FastifyRequest, status: number): void;
  }
  interface FastifyContextConfig {
    operation?: string;
  }
}

export interface Handling<Body, Params> {
  /** Runs once the caller is known and before the body is read. @throws Problem */
  admit?(request: FastifyRequest, reply: FastifyReply): void | Promise<void>;
  /** Returns the body text of the 200. @throws Problem */
  handle(request: FastifyRequest<{ Body: Body; Params: Params }>, reply: FastifyReply): Promise<string>;
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function operation<Body = undefined, Params = unknown>(
  app: FastifyInstance,
  { id, method, path, request: schema }: Operation,
  { admit, handle }: Handling<Body, Params>,
): void {
  const firstField = (schema as { required?: string[] } | undefined)?.required?.[0] ?? '';
  app.route<{ Body: Body; Params: Params }>({
    method,
    url: path.replace(/\{(\w+)\}/, ':$1'),
    config: { operation: id },
    ...(schema === undefined ? {} : { schema: { body: schema } }),
    onRequest: (request, reply, done) => {
      request.caller = authenticate(app.directory, request as FastifyRequest);
      const admitting = admit?.(request as FastifyRequest, reply);
      if (admitting === undefined) done();
      else admitting.then(() => done(), done);
    },
    preValidation: (request, _reply, done) => {
      if (schema !== undefined) request.body = readJson(request.body, firstField) as Body;
      done();
    },
    handler: (request, reply) => {
      handle(request, reply as FastifyReply).then(
        (body) => {
          app.answered(request as FastifyRequest, reply.statusCode);
          reply.header('Content-Type', JSON_TYPE).send(body);
        },
        (error: Error) => reply.send(error),
      );
      return reply;
    },
  });
}
