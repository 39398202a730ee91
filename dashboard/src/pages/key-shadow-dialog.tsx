/** Starts or ends the shadow mode of a key after a dialog that says what will change. */
import type { KeyRow, VerdictCounts } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { PERIODS, useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { grouped } from '../ui/format.ts';
import { totalOf } from '../ui/verdicts.ts';

export interface ShadowDialogProps {
  readonly apiKey: Pick<KeyRow, 'id' | 'name' | 'shadow'>;
  /** Counts of what it would have done in the period, where the page knows them. */
  readonly observed?: VerdictCounts;
  onClose(): void;
}

export function ShadowDialog({ apiKey, observed, onClose }: ShadowDialogProps) {
  const { api } = useScope();
  const { id, name, shadow } = apiKey;
  const change = useSend<unknown, { shadow: boolean }>('PATCH', api(`keys/${id}`), {
    refreshes: [api('keys'), api('shadow')],
  });
  return (
    <ChangeDialog
      change={change}
      body={{ shadow: !shadow }}
      title={shadow ? `Enforce “${name}”?` : `Start shadow mode for “${name}”?`}
      verb={shadow ? 'Enforce' : 'Start shadow mode'}
      onClose={onClose}
    >
      {shadow ? <WhenEnforced observed={observed} /> : <WhenObserved />}
    </ChangeDialog>
  );
}

function WhenEnforced({ observed }: Pick<ShadowDialogProps, 'observed'>) {
  const { period } = useScope();
  return (
    <>
      <p>
        From the next request on, the API answers with the verdict. Your application will challenge and block
        signups.
      </p>
      {observed && (
        <p>
          In the last {PERIODS[period]} this key would have challenged {grouped(observed.challenge)} and
          blocked {grouped(observed.block)} of {grouped(totalOf(observed))} signups.
        </p>
      )}
      <p>Past answers do not change. You can return to shadow mode at any time.</p>
    </>
  );
}

function WhenObserved() {
  return (
    <>
      <p>
        From the next request on, every answer for this key is Allow, with score 0 and no reasons. No signup
        with this key is challenged or blocked, not even fraud.
      </p>
      <p>Verdicts are still stored and shown here, and the price of a signup stays the same.</p>
    </>
  );
}
