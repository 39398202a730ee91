import { expect, it } from 'vitest';
import { Problem } from '../contract/problem.ts';
import { asStoreFailure } from '../store/store-failure.ts';
import { toSignInFailure } from './dashboard-sign-in-problems.ts';

it.each([
  [
    'a full disk',
    asStoreFailure(new Problem('storage_full')),
    'storage_full',
    /disk of this service is full/,
  ],
  ['a lock', failureOf('SQLITE_BUSY'), 'unavailable', /database of this service fails/],
  ['a read-only file', failureOf('SQLITE_READONLY'), 'unavailable', /database of this service fails/],
  ['a server that is away', failureOf('ECONNREFUSED'), 'unavailable', /database of this service fails/],
  ['a queue that is too long', asStoreFailure(new Problem('unavailable')), 'unavailable', /database of this/],
])('says that nobody can sign in because of %s', (_what, error, code, message) => {
  const problem = toSignInFailure(error) as Problem;
  expect(problem).toMatchObject({ status: 503, code, retryAfterSeconds: 1, cause: error });
  expect(problem.message).toMatch(message);
  expect(problem.message).not.toContain('/data');
});

it('leaves every other error as it is', () => {
  for (const error of [new Error('a bug'), new Problem('sign_in_failed'), new Problem('unavailable')])
    expect(toSignInFailure(error)).toBe(error);
});

function failureOf(code: string): Error {
  return asStoreFailure(Object.assign(new Error('the database /data/gatehouse.db failed'), { code }));
}
