/** The answer to a request that failed. */
import pino from 'pino';
import { expect, it } from 'vitest';
import { Problem } from '../../contract/problem.ts';
import { createToErrorResponse } from './problems.ts';

const lines: string[] = [];
const log = pino({}, { write: (line: string) => void lines.push(line) });
const refuse = createToErrorResponse(log);
const errorOf = (error: unknown, mayBeSaved?: boolean) =>
  (JSON.parse(refuse(error, 'req_1', mayBeSaved).body) as { error: Record<string, string> }).error;

it('says that a change may have been saved if it failed for an unknown reason', () => {
  const fault = new Error('the database did not answer in time');
  expect(errorOf(fault, true)).toEqual({
    code: 'internal_error',
    message: 'The service failed to answer. What you changed may have been saved.',
    resolution: 'Read the current state before you repeat the change.',
  });
  expect(errorOf(fault, false).message).toBe('The service failed to answer. Nothing was charged.');
  expect(errorOf(new Problem('storage_full'), true)).toEqual(errorOf(new Problem('storage_full')));
});

it('logs the cause of a refusal, and does not send it', () => {
  const cause = new Error('the database /data/gatehouse.db failed');
  const refused = new Problem('unavailable', undefined, { cause });
  expect(refuse(refused, 'req_2').body).toBe(refuse(new Problem('unavailable'), 'req_2').body);
  expect(lines.at(-2)).toContain('/data/gatehouse.db');
  expect(lines.at(-1)).not.toContain('/data/gatehouse.db');
});
