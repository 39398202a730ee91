/** The column of when a key or a hook was last used, or when it was revoked. */
import type { Column } from './data-table.tsx';
import { RelativeTime } from './relative-time.tsx';

interface Usable {
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export const LAST_USED_COLUMN: Column<Usable> = {
  id: 'used',
  head: 'Last used',
  width: 'clamp(84px, 10vw, 130px)',
  cell: ({ last_used_at, revoked_at }) =>
    revoked_at === null ? (
      <RelativeTime at={last_used_at} />
    ) : (
      <span className="gh-dim">
        revoked <RelativeTime at={revoked_at} />
      </span>
    ),
};
