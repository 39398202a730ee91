/** The weights: of each detector the current one, the default, and one to try. */
import type { PolicyPage } from '../../../src/contract/dashboard-account.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import type { Draft } from './thresholds-draft.ts';
import { WeightsTable } from './thresholds-weights-table.tsx';

export function WeightsCard({ policy, draft }: { policy: PolicyPage; draft: Draft }) {
  const { mode } = useScope();
  const count = Object.keys(draft.weights).length;
  const hint = mode === 'live' ? 'change one to see its effect' : 'of live traffic';
  return (
    <Card title="Weights" note={count > 0 ? unsaved(count) : hint} flush>
      <WeightsTable detectors={policy.detectors} draft={draft} editable={mode === 'live'} />
    </Card>
  );
}

const unsaved = (count: number) => (count === 1 ? '1 unsaved change' : `${count} unsaved changes`);
