// What the dashboard's table of pages offers to open: one view each, for browser tests and screenshots.
import { readFileSync } from 'node:fs';

const TABLE = new URL('../dashboard/src/pages.json', import.meta.url);

/** `:account` and `:blocked` in a path are for the caller to fill in. */
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
