import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { Problem } from '../contract/problem.ts';
import { createReadOptional } from './dashboard-optional-body.ts';
import { THRESHOLDS_SCHEMA } from './dashboard-threshold-values.ts';

const read = createReadOptional(THRESHOLDS_SCHEMA);
const send = (text: string) => read({ body: Buffer.from(text) } as FastifyRequest);
const GIVEN = '{"challenge":20,"block":70}';

describe('a body that may be left out', () => {
  it.each(['', ' ', '\n', 'null', ' null\n', ' '.repeat(40)])('is absent: %j', (text) => {
    expect(send(text)).toBeNull();
  });

  it.each([GIVEN, ` ${GIVEN}\n`, `${' '.repeat(40)}${GIVEN}`])('is read: %j', (text) => {
    expect(send(text)).toEqual({ challenge: 20, block: 70 });
  });

  it.each([`null${' '.repeat(40)}${GIVEN}`, '0', '{}', '[]'])('is refused: %j', (text) => {
    expect(() => send(text)).toThrow(Problem);
  });
});
