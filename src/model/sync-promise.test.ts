import { expect, it, vi } from 'vitest';
import { SyncPromise } from './sync-promise.ts';

const FAULT = new Error('a fault');

it('calls back at once, through all callbacks', () => {
  const seen: unknown[] = [];
  const promise = new SyncPromise<number>();
  promise
    .then((value) => value + 1)
    .then((value) => `${value}`)
    .then((value) => void seen.push(value));
  expect(seen).toEqual([]);
  promise.resolve(1);
  expect(seen).toEqual(['2']);
});

it('calls back at once who comes after it settled', () => {
  const seen: unknown[] = [];
  const [done, failed] = [new SyncPromise<number>(), new SyncPromise<number>()];
  done.resolve(1);
  failed.reject(FAULT);
  void done.then((value) => seen.push(value));
  void failed.then(undefined, (error) => seen.push(error));
  expect(seen).toEqual([1, FAULT]);
});

it('passes an error on to the next callback for errors, whose value counts', () => {
  const seen: unknown[] = [];
  const promise = new SyncPromise<number>();
  promise
    .then(() => seen.push('skipped'))
    .then(undefined, (error) => [error])
    .then((value) => void seen.push(value));
  promise.reject(FAULT);
  expect(seen).toEqual([[FAULT]]);
});

it.each(['onFulfilled', 'onRejected'])('fails where %s throws, and throws at nobody else', (which) => {
  const seen: unknown[] = [];
  const fail = () => {
    throw FAULT;
  };
  const promise = new SyncPromise<number>();
  void promise.then(fail, fail).then(undefined, (error) => void seen.push(error));
  if (which === 'onFulfilled') promise.resolve(1);
  else promise.reject('another');
  expect(seen).toEqual([FAULT]);
});

it.each([
  ['native', () => Promise.resolve('later'), () => Promise.reject(FAULT)],
  [
    'sync',
    () => {
      const later = new SyncPromise<string>();
      queueMicrotask(() => later.resolve('later'));
      return later;
    },
    () => {
      const later = new SyncPromise<string>();
      queueMicrotask(() => later.reject(FAULT));
      return later;
    },
  ],
])('waits for a %s promise that a callback returns', async (_kind, fulfil, fail) => {
  const [first, second] = [new SyncPromise<number>(), new SyncPromise<number>()];
  const [fulfilled, failed] = [first.then(fulfil), second.then(fail)];
  first.resolve(1);
  second.resolve(1);
  expect(await fulfilled).toBe('later');
  await expect(failed).rejects.toBe(FAULT);
});

it('settles once', async () => {
  const promise = new SyncPromise<number>();
  promise.resolve(1);
  promise.resolve(2);
  promise.reject(FAULT);
  expect(await promise).toBe(1);
});

it('calls back everybody who waits, in order', () => {
  const seen: string[] = [];
  const promise = new SyncPromise<number>();
  for (const who of ['first', 'second', 'third']) void promise.then((value) => seen.push(`${who} ${value}`));
  promise.resolve(1);
  void promise.then((value) => seen.push(`late ${value}`));
  expect(seen).toEqual(['first 1', 'second 1', 'third 1', 'late 1']);
});

it('settles with another promise', async () => {
  expect(await SyncPromise.from(Promise.resolve(1))).toBe(1);
  await expect(SyncPromise.from(Promise.reject(FAULT))).rejects.toBe(FAULT);
});

it('returns what is tried, or fails with what it throws', async () => {
  const promise = Promise.resolve(1);
  expect(SyncPromise.try(() => promise)).toBe(promise);
  await expect(
    SyncPromise.try(() => {
      throw FAULT;
    }),
  ).rejects.toBe(FAULT);
});

it('lets Node report an error that nobody waits for', () => {
  const handle = vi.fn();
  const spy = vi.spyOn(Promise, 'reject').mockReturnValue({ catch: handle } as unknown as Promise<never>);
  const promise = new SyncPromise<number>();
  promise.reject(FAULT);
  expect(spy).toHaveBeenCalledWith(FAULT);
  expect(handle).not.toHaveBeenCalled();
  void promise.then(undefined, () => {});
  expect(handle).toHaveBeenCalled();
  spy.mockRestore();
});

it('lets Node report nothing where somebody waits', () => {
  const spy = vi.spyOn(Promise, 'reject');
  const promise = new SyncPromise<number>();
  void promise.then(undefined, () => {});
  promise.reject(FAULT);
  expect(spy).not.toHaveBeenCalled();
  spy.mockRestore();
});
