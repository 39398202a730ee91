/** Starts or ends the shadow mode of a key after a dialog that says what will change. */
import { Skeleton } from '@mantine/core';
import type { KeyRow } from '../../../src/contract/dashboard-account.ts';
import type { ShadowReport } from '../../../src/contract/dashboard-shadow.ts';
import { useGet, useSend, withQuery } from '../api.ts';
import { PERIODS, useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { grouped } from '../ui/format.ts';
import { ReportedEffect } from '../ui/reported-effect.tsx';
import { totalOf } from '../ui/verdicts.ts';

export interface ShadowDialogProps {
  readonly apiKey: Pick<KeyRow, 'id' | 'name' | 'shadow' | 'version'>;
  onClose(): void;
}

export function ShadowDialog({ apiKey, onClose }: ShadowDialogProps) {
  const { api } = useScope();
  const { id, name, shadow } = apiKey;
  const change = useSend<unknown, { shadow: boolean }>('PATCH', api(`keys/${id}`), {
    refreshes: [api('keys'), api('shadow')],
    version: apiKey.version,
  });
  return (
    <ChangeDialog
      change={change}
      body={{ shadow: !shadow }}
      title={shadow ? `Enforce “${name}”?` : `Start shadow mode for “${name}”?`}
      verb={shadow ? 'Enforce' : 'Start shadow mode'}
      onClose={onClose}
    >
      {shadow ? <WhenEnforced keyId={id} /> : <WhenObserved />}
    </ChangeDialog>
  );
}

function WhenEnforced({ keyId }: { keyId: string }) {
  return (
    <>
      <p>
        From the next request on, the API answers with the verdict. Your application will challenge and block
        signups.
      </p>
      <Observed keyId={keyId} />
      <p>Past answers do not change. You can return to shadow mode at any time.</p>
    </>
  );
}

/** Says what it would have done in the period, and to whom: enforcing harms the good customers that it would have stopped. */
function Observed({ keyId }: { keyId: string }) {
  const { api, period } = useScope();
  const { data, error } = useGet<ShadowReport>(withQuery(api('shadow'), { period }));
  if (data === undefined)
    return error === null ? (
      <Skeleton height={80} />
    ) : (
      <p>Could not count what it would have done: {error.message}</p>
    );
  const report = data.keys.find(({ id }) => id === keyId);
  if (report === undefined) return <p>It has no signups in the last {PERIODS[period]}.</p>;
  const { verdicts, reported } = report;
  const labelled = {
    good: reported.good_stopped + reported.good_allowed,
    fraud: reported.fraud_stopped + reported.fraud_allowed,
  };
  const effect = { helped: 0, harmed: reported.good_stopped, stopped: reported.fraud_stopped, let_in: 0 };
  return (
    <>
      <p>
        In the last {PERIODS[period]} this key would have challenged {grouped(verdicts.challenge)} and blocked{' '}
        {grouped(verdicts.block)} of {grouped(totalOf(verdicts))} signups.
        {reported.fraud_allowed > 0 &&
          ` ${grouped(reported.fraud_allowed)} reported as fraud would still have got in.`}
      </p>
      <ReportedEffect effect={effect} labelled={labelled} />
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
