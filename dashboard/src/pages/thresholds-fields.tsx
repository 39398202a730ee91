/** The two thresholds as number fields. */
import { NumberInput } from '@mantine/core';
import type { Thresholds } from '../../../src/model/policy.ts';
import styles from './thresholds-simulator-card.module.css';

export interface ThresholdFieldsProps {
  readonly thresholds: Thresholds;
  onMove(thresholds: Thresholds): void;
}

export function ThresholdFields({ thresholds, onMove }: ThresholdFieldsProps) {
  const { challenge, block } = thresholds;
  return (
    <div className={styles.fields}>
      <NumberInput
        label="Challenge from"
        min={1}
        max={block}
        allowDecimal={false}
        clampBehavior="blur"
        value={challenge}
        onChange={(value) => {
          if (typeof value === 'number' && value >= 1 && value <= block) onMove({ challenge: value, block });
        }}
      />
      <NumberInput
        label="Block from"
        min={challenge}
        max={100}
        allowDecimal={false}
        clampBehavior="blur"
        value={block}
        onChange={(value) => {
          if (typeof value === 'number' && value >= challenge && value <= 100)
            onMove({ challenge, block: value });
        }}
      />
    </div>
  );
}
