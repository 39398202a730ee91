/** Decides whether the options of a client can be used, and what it does where they say nothing. */
import type { BreakerOptions } from './circuit-breaker.ts';
import { checkTrustedProxies } from './client-ip.ts';
import { OptionsError } from './errors.ts';
import type { FetchLike } from './exchange.ts';
import { checkProtection, type ProtectionOptions } from './protect-signup.ts';

export interface GatehouseOptions extends ProtectionOptions {
  /** An API key, `sk_live_…` or `sk_test_…`. It is a secret of your server. `undefined`, a setting that is missing, is refused. */
  readonly key: string | undefined;
  /** URL of Gatehouse: `http://127.0.0.1:8080`. A path before `/v1` is kept. `undefined` is refused. */
  readonly url: string | undefined;
  /** Max. time of one call, all tries and waits together. Default 3,000. */
  readonly timeoutMs?: number | undefined;
  /** Tries after the first, where a repetition is safe. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Breaker that lets calls fail at once because the last ones failed; `false`: never. */
  readonly breaker?: BreakerOptions | false | undefined;
  /** Default: the runtime's own. */
  readonly fetch?: FetchLike | undefined;
}

/** Options that were checked, with the defaults. */
export interface ClientSettings {
  readonly key: string;
  /** URL without a slash at the end. */
  readonly url: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly breaker: BreakerOptions | false;
  readonly fetch: FetchLike;
  readonly protection: ProtectionOptions;
}

const DEFAULT_TIMEOUT_MS = 3000;
const DEFAULT_RETRIES = 2;
/** Timers of every runtime overflow above it. */
const MAX_NUMBER = 2 ** 31 - 1;

/** @throws OptionsError, without the key in its message */
export function readOptions(options: GatehouseOptions): ClientSettings {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxRetries = DEFAULT_RETRIES, breaker = {} } = options;
  checkNumber('timeoutMs', timeoutMs, 1);
  checkNumber('maxRetries', maxRetries, 0);
  if (breaker !== false) {
    checkNumber('breaker.failures', breaker.failures, 1);
    checkNumber('breaker.openMs', breaker.openMs, 0);
  }
  const { trustedProxies, onFailure, mode, onError } = options;
  checkProtection({ onFailure, mode });
  // A mistake in it shows now, not at the first signup.
  checkTrustedProxies(trustedProxies);
  return {
    key: readKey(options.key),
    url: readUrl(options.url),
    timeoutMs,
    maxRetries,
    breaker,
    // Looked up at each call: tools that replace the global `fetch` later are respected.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    protection: { trustedProxies, onFailure, mode, onError },
  };
}

/** @throws OptionsError */
export function checkNumber(name: string, value: unknown, min: number): void {
  if (value === undefined || (typeof value === 'number' && value >= min && value <= MAX_NUMBER)) return;
  throw new OptionsError('invalid_options', `${name}: a number from ${min} to ${MAX_NUMBER}.`);
}

function readKey(value: unknown): string {
  const key = typeof value === 'string' ? value.trim() : '';
  if (!/^sk_(?:live|test)_/.test(key) || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new OptionsError('invalid_options', 'key: an API key begins with sk_live_ or sk_test_.');
  return key;
}

function readUrl(value: unknown): string {
  let url: URL;
  try {
    url = new URL(String(value));
  } catch {
    throw new OptionsError(
      'invalid_options',
      'url: the address of Gatehouse, such as http://127.0.0.1:8080.',
    );
  }
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.search || url.hash)
    throw new OptionsError(
      'invalid_options',
      'url: http:// or https://, without credentials, query or fragment.',
    );
  return (url.origin + url.pathname).replace(/\/+$/, '');
}
