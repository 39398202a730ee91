/** Where to go after signing in: a path of this dashboard, never another site. */
export function safeNext(next: string | null): string {
  if (next === null || !URL.canParse(next, window.location.origin)) return '/';
  const url = new URL(next, window.location.origin);
  return url.origin === window.location.origin && next.startsWith('/') ? `${url.pathname}${url.search}` : '/';
}
