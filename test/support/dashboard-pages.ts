/** What the browser tests open, from the dashboard's table of pages: one view each, `:blocked` in place of a signup's id. */
import TABLE from '../../dashboard/src/pages.json' with { type: 'json' };

export interface View {
  readonly name: string;
  /** From the root; `:account` and `:blocked` are to be filled in. */
  readonly path: string;
  readonly forAnybody: boolean;
  readonly hasTable: boolean;
}

export const VIEWS: readonly View[] = Object.entries(TABLE).flatMap(([key, page]) => {
  const path = key.replace(/\/:\w+\?$/, '').replace(':request_id', ':blocked');
  return Object.entries(page.views as Record<string, string>).map(([name, end]) => ({
    name,
    path: (path.startsWith('/') ? path : `/accounts/:account/${path}`) + end,
    forAnybody: 'role' in page && page.role === 'anyone',
    hasTable: 'table' in page && page.table === true,
  }));
});
