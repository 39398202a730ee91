// A view of each page in the dashboard's table of pages, for browser tests and screenshots.
import { readFileSync } from 'node:fs';

const TABLE = new URL('../dashboard/src/pages.json', import.meta.url);

/** The caller replaces `:account` and `:blocked` in a path. */
export const VIEWS = Object.entries(JSON.parse(readFileSync(TABLE, 'utf8'))).flatMap(([key, page]) => {
  const path = key.replace(/\/:\w+\?$/, '').replace(':request_id', ':blocked');
  const start = path.startsWith('/') ? path : `/accounts/:account/${path}`;
  return Object.entries(page.views).map(([name, end]) => ({
    name,
    path: start + end,
    isPublic: page.role === 'anyone',
    hasTable: page.table === true,
  }));
});
