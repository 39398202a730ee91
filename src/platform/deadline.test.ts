import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { within } from './deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<string>(() => {});

describe('work within a deadline', () => {
  it('is the result, or the reason of a failure, and leaves no timer', async () => {
    expect(await within(100, Promise.resolve('done'), () => 'late')).toBe('done');
    await expect(within(100, Promise.reject(new Error('failed')), () => 'late')).rejects.toThrow('failed');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is replaced where it is late, by a value or an error', async () => {
    const value = within(100, never, () => 'late');
    const error = within(100, never, () => {
      throw new Error('too late');
    });
    const failed = expect(error).rejects.toThrow('too late');
    await vi.advanceTimersByTimeAsync(99);
    expect(vi.getTimerCount()).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(await value).toBe('late');
    await failed;
  });
});
