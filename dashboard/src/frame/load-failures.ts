/**
 * Loads the whole page again, once, when one of its files cannot be had: an update of the service has replaced the
 * files, or the browser is offline and will be back.
 */

/** Time of the last such reload, so that a file that is really missing does not make the page reload for ever. */
const RELOADED_AT = 'gatehouse-reloaded-at';
const PAUSE_MS = 60_000;

const failures = new WeakSet<object>();

export function watchLoadFailures(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    failures.add(payload);
    if (navigator.onLine) reloadOnce();
    else window.addEventListener('online', reloadOnce, { once: true });
  });
}

/** Whether an error says that a file of the page could not be loaded. */
export function isLoadFailure(error: object): boolean {
  return failures.has(error);
}

function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
  if (Date.now() - last < PAUSE_MS) return;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  window.location.reload();
}
