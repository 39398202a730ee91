import { describe, expect, it } from 'vitest';
import { Problem } from '../../contract/problem.ts';
import { THRESHOLDS_SCHEMA } from '../dashboard-policy-values.ts';
import { createReadOptional } from './body.ts';

const read = createReadOptional(THRESHOLDS_SCHEMA);
const send = (text: string) => read(Buffer.from(text));
const SENT = '{"challenge":20,"block":70}';

describe('an optional body', () => {
  it.each(['', ' ', '\n', 'null', ' null\n', ' '.repeat(40)])('is absent: %j', (text) => {
    expect(send(text)).toBeNull();
  });

  it.each([SENT, ` ${SENT}\n`, `${' '.repeat(40)}${SENT}`])('is read: %j', (text) => {
    expect(send(text)).toEqual({ challenge: 20, block: 70 });
  });

  it.each([`null${' '.repeat(40)}${SENT}`, '0', '{}', '[]'])('is refused: %j', (text) => {
    expect(() => send(text)).toThrow(Problem);
  });
});
