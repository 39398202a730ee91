/** Asks before a person leaves the page with unsaved thresholds or weights. */
import { useLocation } from 'wouter';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { pluralize } from '../ui/format.ts';
import { useLeaveGuard } from '../ui/leave-guard.tsx';
import type { Draft } from './thresholds-draft.ts';

export function UnsavedDraft({ draft }: { draft: Draft }) {
  const [path] = useLocation();
  const keyId = draft.apiKey?.id ?? null;
  const unsaved = draft.moved || draft.reweighed;
  const leaving = useLeaveGuard(
    unsaved
      ? (to, replace) => {
          // Opening a signup from the list below is no loss: Back returns to the draft.
          if (to.pathname !== path) return !/\/assessments\/[^/]+$/.test(to.pathname);
          return !replace && to.searchParams.get('key') === keyId && !holdsDraft(to.searchParams);
        }
      : undefined,
  );
  if (leaving === undefined) return null;
  return (
    <ConfirmDialog
      title="Leave without saving?"
      verb="Leave page"
      onConfirm={leaving.leave}
      onClose={leaving.stay}
    >
      <p>
        {changesOf(draft)} not saved and not used yet. The address of this page contains them, so the Back
        button restores them.
      </p>
    </ConfirmDialog>
  );
}

function changesOf({ moved, thresholds, weights }: Draft): string {
  const count = Object.keys(weights).length;
  const parts = [
    ...(moved ? [`The thresholds ${thresholds.challenge} and ${thresholds.block}`] : []),
    ...(count > 0 ? [pluralize(count, 'weight')] : []),
  ];
  return `${parts.join(' and ')} ${!moved && count === 1 ? 'is' : 'are'}`;
}

function holdsDraft(search: URLSearchParams): boolean {
  return [...search.keys()].some((name) => name === 'challenge' || name === 'block' || name.startsWith('w.'));
}
