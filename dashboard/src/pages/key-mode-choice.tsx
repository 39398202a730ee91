/** The choice between live and sandbox, for what is created with a mode: keys and hooks. */
import { SegmentedControl } from '@mantine/core';
import type { KeyMode } from '../../../src/model/key-mode.ts';
import { MODES } from '../scope.ts';
import { FormHint } from '../ui/form.tsx';

const HINTS: Readonly<Record<KeyMode, string>> = {
  live: 'Checks real signups. Each one costs a credit.',
  test: 'Returns canned test answers, chosen by the email address. Free.',
};

export interface ModeChoiceProps {
  readonly value: KeyMode;
  onChange(mode: KeyMode): void;
  /** Words on each mode; default: those of what assesses signups. */
  readonly hints?: Readonly<Record<KeyMode, string>>;
}

export function ModeChoice({ value, onChange, hints = HINTS }: ModeChoiceProps) {
  return (
    <>
      <SegmentedControl
        aria-label="Mode"
        value={value}
        onChange={(mode) => onChange(mode as KeyMode)}
        data={MODES}
      />
      <FormHint>{hints[value]}</FormHint>
    </>
  );
}
