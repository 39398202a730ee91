/** Reads a body that may be left out: nothing, or `null`, or a JSON object that fits its schema. */
import type { FastifyRequest } from 'fastify';
import { createReadMessage } from './body.ts';

export function createReadOptional<Body>(schema: object): (request: FastifyRequest) => Body | null {
  const read = createReadMessage(schema);
  return ({ body }) => {
    const bytes = (body as Buffer | undefined) ?? Buffer.alloc(0);
    return ['', 'null'].includes(bytes.toString('utf8').trim()) ? null : (read(bytes) as Body);
  };
}
