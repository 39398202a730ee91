/** Decides how much of a feed's URL people see: it may hold the operator's token for its publisher. */

/** Stands for what is left out. */
const MASK = '***';

/** Operators: all but the user, the password, the values of the query and the fragment. Everybody else: the origin. */
export function shownFeedUrl(text: string, operator: boolean): string {
  if (!URL.canParse(text)) return '';
  const { protocol, host, pathname, searchParams } = new URL(text);
  const origin = `${protocol}//${host}`;
  if (!operator) return origin;
  const query = [...searchParams].map(([name, value]) =>
    value === '' ? MASK : `${encodeURIComponent(name)}=${MASK}`,
  );
  return `${origin}${pathname}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}
