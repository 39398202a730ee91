/** Asks before everything that a recall found is marked as seen. */
import type { RecallReport } from '../../../src/contract/dashboard-recall.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { pluralize } from '../ui/format.ts';

export function DismissRecalled({ report, onClose }: { report: RecallReport; onClose(): void }) {
  const { api } = useScope();
  const change = useSend('POST', api('recall/dismiss'), { refreshes: [api('recall'), api('today')] });
  return (
    <ChangeDialog
      title="Nothing to do?"
      verb="Mark as seen"
      change={change}
      body={undefined}
      onClose={onClose}
    >
      This takes {pluralize(report.total, 'signup')} off this page and off Today. A signup comes back only if
      it would get a stricter verdict. The signups themselves stay as they are.
    </ChangeDialog>
  );
}
