/** Enforces the verdicts of a key, for some people or for everybody, or starts its shadow mode, after a dialog that says what will change. */
import { SegmentedControl, Skeleton } from '@mantine/core';
import { useState } from 'react';
import type { KeyRow } from '../../../src/contract/dashboard-account.ts';
import type { ShadowReport } from '../../../src/contract/dashboard-shadow.ts';
import { useGet, withQuery } from '../api.ts';
import { PERIODS, useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { grouped } from '../ui/format.ts';
import { totalOf } from '../ui/verdicts.ts';
import { Readiness } from './key-readiness.tsx';
import { useSetShare } from './key-share.ts';

export interface ShadowDialogProps {
  readonly apiKey: Pick<KeyRow, 'id' | 'name' | 'shadow' | 'enforced_share' | 'version'>;
  onClose(): void;
}

/** Steps by which a key leaves shadow mode, percent of people. */
const STEPS = [10, 50, 100];

export function ShadowDialog({ apiKey, onClose }: ShadowDialogProps) {
  const { id, name, shadow, enforced_share: current } = apiKey;
  const change = useSetShare(apiKey);
  const steps = STEPS.filter((step) => step > current);
  const [share, setShare] = useState(steps[0] ?? 0);
  return (
    <ChangeDialog
      change={change}
      body={{ enforced_share: share }}
      title={shadow ? `Enforce “${name}”?` : `Start shadow mode for “${name}”?`}
      verb={shadow ? `Enforce for ${peopleOf(share)}` : 'Start shadow mode'}
      onClose={onClose}
    >
      {shadow ? (
        <>
          <SegmentedControl
            fullWidth
            aria-label="Enforce for"
            value={String(share)}
            onChange={(step) => setShare(Number(step))}
            data={steps.map((step) => ({ value: String(step), label: peopleOf(step) }))}
          />
          <WhenEnforced share={share} />
          <Observed keyId={id} />
          <p>Past answers do not change. One click returns to shadow mode.</p>
        </>
      ) : (
        <WhenObserved />
      )}
    </ChangeDialog>
  );
}

function peopleOf(share: number): string {
  return share === 100 ? 'everybody' : `${share}%`;
}

function WhenEnforced({ share }: { share: number }) {
  if (share === 100)
    return (
      <p>
        From the next request on, the API answers with the verdict. Your application will challenge and block
        signups.
      </p>
    );
  return (
    <p>
      From the next request on, the API answers {share}% of people with the verdict, and all others with
      Allow. The mailbox decides: however a person spells the address, the answer is of the same kind. A
      larger share keeps these people.
    </p>
  );
}

/** Says what it would have done, and to whom: enforcing harms the good customers that it would have stopped, and stops fraud. */
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
  const { verdicts, readiness } = report;
  if (readiness !== null) return <Readiness report={report} />;
  return (
    <p>
      In the last {PERIODS[period]} this key would have challenged {grouped(verdicts.challenge)} and blocked{' '}
      {grouped(verdicts.block)} of {grouped(totalOf(verdicts))} signups.
    </p>
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
