/** The weights: each detector with its reason, the rationale of its weight, and a field to try another weight. */
import { NumberInput } from '@mantine/core';
import type { PolicyPage } from '../../../src/contract/dashboard-account.ts';
import { labelOfDetector } from '../../../src/contract/detectors.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { pluralize } from '../ui/format.ts';
import { ReasonTag } from '../ui/reason-tag.tsx';
import type { Draft } from './thresholds-draft.ts';
import styles from './thresholds-weights-card.module.css';

export function WeightsCard({ policy, draft }: { policy: PolicyPage; draft: Draft }) {
  const { mode } = useScope();
  const count = Object.keys(draft.weights).length;
  const hint = mode === 'live' ? 'change one to see its effect' : 'of live traffic';
  return (
    <Card title="Weights" note={count > 0 ? pluralize(count, 'unsaved change') : hint} flush>
      <WeightsTable detectors={policy.detectors} draft={draft} editable={mode === 'live'} />
    </Card>
  );
}

type Detector = PolicyPage['detectors'][number];

interface WeightsTableProps {
  readonly detectors: readonly Detector[];
  readonly draft: Draft;
  /** Whether other weights can be tried. */
  readonly editable: boolean;
}

function WeightsTable({ detectors, draft, editable }: WeightsTableProps) {
  return (
    <table className={styles.weights} aria-label="Weights by detector">
      <thead>
        <tr>
          <th scope="col">Detector</th>
          <th scope="col" data-wide>
            Reason
          </th>
          <th scope="col" data-number data-wide>
            Default
          </th>
          <th scope="col" data-number>
            Current
          </th>
          {editable && (
            <th scope="col" data-number data-try>
              New value
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {[...detectors]
          .sort((a, b) => b.default_weight - a.default_weight)
          .map((detector) => (
            <Row key={detector.detector} {...detector} draft={draft} editable={editable} />
          ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Detector {
  readonly draft: Draft;
  readonly editable: boolean;
}

function Row({ draft, editable, ...row }: RowProps) {
  const { detector, code, weight, default_weight, max_weight, rationale } = row;
  const tried = draft.weights[detector];
  return (
    <tr data-tried={tried !== undefined || undefined}>
      <th scope="row">
        <span className={styles.name}>{labelOfDetector(detector)}</span>
        <span className={styles.why}>{rationale}</span>
      </th>
      <td data-wide>
        <ReasonTag code={code} />
      </td>
      <td data-number data-wide className="gh-dim">
        {default_weight}
      </td>
      <td data-number>
        {weight}
        {weight > max_weight && <span className={styles.counts}>, counts as {max_weight}</span>}
        {weight !== default_weight && <span className={styles.own}>custom</span>}
      </td>
      {editable && (
        <td data-number data-try>
          <NumberInput
            aria-label={`New weight of ${labelOfDetector(detector)}`}
            className={styles.field}
            size="xs"
            min={0}
            max={max_weight}
            decimalScale={1}
            clampBehavior="strict"
            value={Math.min(tried ?? weight, max_weight)}
            onChange={(value) => {
              if (typeof value === 'number') draft.setWeight(detector, value);
            }}
          />
        </td>
      )}
    </tr>
  );
}
