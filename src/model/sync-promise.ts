/** A promise that calls back as soon as it settles: a native one calls back later, which costs each signup several turns of the microtask queue. */

type OnFulfilled<T, U> = ((value: T) => U | PromiseLike<U>) | null | undefined;
type OnRejected<U> = ((error: unknown) => U | PromiseLike<U>) | null | undefined;

interface Waiter {
  readonly onFulfilled: OnFulfilled<unknown, unknown>;
  readonly onRejected: OnRejected<unknown>;
  /** What `then` returned. */
  readonly next: SyncPromise<unknown>;
}

export class SyncPromise<T> implements PromiseLike<T> {
  #state: 'pending' | 'fulfilled' | 'rejected' = 'pending';
  /** The value, or the error. */
  #result: unknown;
  /** Nearly always there is one. */
  #waiter: Waiter | undefined;
  #more: Waiter[] | undefined;
  /** Failed with the same error while nobody waited: so Node reports it unless somebody does soon. */
  #unhandled: Promise<never> | undefined;

  static rejected<T>(error: unknown): SyncPromise<T> {
    const promise = new SyncPromise<T>();
    promise.reject(error);
    return promise;
  }

  /** What `act` returns; rejected where it throws. */
  static try<T>(act: () => PromiseLike<T>): PromiseLike<T> {
    try {
      return act();
    } catch (error) {
      return SyncPromise.rejected(error);
    }
  }

  /** Settles as a native promise does. Its own `then` would wait some turns more where a callback returns a sync promise. */
  static from<T>(other: PromiseLike<T>): SyncPromise<T> {
    const promise = new SyncPromise<T>();
    void other.then(
      (value) => promise.resolve(value),
      (error) => promise.reject(error),
    );
    return promise;
  }

  /** No effect on a promise that is settled; likewise `reject`. */
  resolve(value: T): void {
    this.#settle('fulfilled', value);
  }

  reject(error: unknown): void {
    this.#settle('rejected', error);
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise, so that callers may await it
  then<U = T, V = never>(onFulfilled?: OnFulfilled<T, U>, onRejected?: OnRejected<V>): PromiseLike<U | V> {
    const next = new SyncPromise<U | V>();
    const waiter = { onFulfilled, onRejected, next } as Waiter;
    this.#unhandled?.catch(() => {});
    if (this.#state !== 'pending') this.#callBack(waiter);
    else if (this.#waiter === undefined) this.#waiter = waiter;
    else {
      this.#more ??= [];
      this.#more.push(waiter);
    }
    return next;
  }

  #settle(state: 'fulfilled' | 'rejected', result: unknown): void {
    if (this.#state !== 'pending') return;
    this.#state = state;
    this.#result = result;
    if (this.#waiter !== undefined) this.#callBack(this.#waiter);
    else if (state === 'rejected') this.#unhandled = Promise.reject(result);
    for (const waiter of this.#more ?? []) this.#callBack(waiter);
  }

  #callBack({ onFulfilled, onRejected, next }: Waiter): void {
    const act = this.#state === 'fulfilled' ? onFulfilled : onRejected;
    if (typeof act !== 'function') {
      next.#settle(this.#state as 'fulfilled' | 'rejected', this.#result);
      return;
    }
    let value: unknown;
    try {
      value = act(this.#result);
    } catch (error) {
      next.reject(error);
      return;
    }
    // The callbacks here return no other kind of promise.
    if (value instanceof Promise || value instanceof SyncPromise)
      void value.then(
        (later) => next.resolve(later),
        (error) => next.reject(error),
      );
    else next.resolve(value);
  }
}
