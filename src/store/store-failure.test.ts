import { expect, it } from 'vitest';
import { Problem } from '../contract/problem.ts';
import { asStoreFailure, isDiskFull, isStoreFailure, reasonOfFailure } from './store-failure.ts';

it('is found behind the errors that it caused', () => {
  const inner = asStoreFailure(new Error('read ECONNRESET'));
  const outer = new Error('request failed', { cause: new Error('x', { cause: inner }) });
  expect([isStoreFailure(inner), isStoreFailure(outer)]).toEqual([true, true]);
  for (const other of [new Error('read ECONNRESET'), new Problem('unavailable'), undefined, 'text'])
    expect(isStoreFailure(other)).toBe(false);
});

it.each([
  [
    'connect ECONNREFUSED 127.0.0.1:5432',
    'nothing listens at its address: it is stopped, or not started yet',
  ],
  ['the database failed: Connection terminated unexpectedly', 'the connections to it were lost'],
  ['Query read timeout', 'it does not answer in time: it hangs, is overloaded, or something has locked it'],
  [
    'timeout exceeded when trying to connect',
    'it does not answer in time: it hangs, is overloaded, or something has locked it',
  ],
  [
    'terminating connection due to administrator command',
    'it closed the connections: it is stopped or restarts',
  ],
  ['the database system is starting up', 'it is starting or stopping'],
  ['sorry, too many clients already', 'it has no free connections or memory'],
  ['the database /data/gatehouse.db failed: database or disk is full', 'its disk is full: free space there'],
  ['the database /data/gatehouse.db failed: database is locked', 'another program has locked it'],
  ['disk I/O error', 'its disk fails'],
  ['something new', 'something new'],
])('says %s in plain words', (message, reason) => {
  expect(reasonOfFailure(new Error(message))).toBe(reason);
});

it('reads the code, also of the errors that a host with several addresses gives', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  expect(reasonOfFailure(new AggregateError([refused]))).toMatch(/^nothing listens/);
  expect(reasonOfFailure(Object.assign(new Error('x'), { code: '57P01' }))).toMatch(/^it closed/);
});

it('knows a full disk by the error of the system, of a database and of ours', () => {
  const full = (code: string) => asStoreFailure(Object.assign(new Error('x'), { code }));
  const known = ['ENOSPC', 'SQLITE_FULL', '53100'].map(full);
  for (const error of [...known, asStoreFailure(new Problem('storage_full'))])
    expect(isDiskFull(new Error('sign-in failed', { cause: error }))).toBe(true);
  for (const error of [full('SQLITE_READONLY'), full('EIO'), new Error('disk is full')])
    expect(isDiskFull(error)).toBe(false);
});
