/** Chooses a span of time: a usual one that ends now, or two instants in the reader's own time zone. */
import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import styles from './log.module.css';

export interface TimeFieldsProps {
  readonly from: string | undefined;
  readonly to: string | undefined;
  onChange(times: { from: string | undefined; to: string | undefined }): void;
}

const HOUR_MS = 3_600_000;
const SPANS: Readonly<Record<string, { label: string; ms: number }>> = {
  hour: { label: 'Last hour', ms: HOUR_MS },
  day: { label: 'Last 24 hours', ms: 24 * HOUR_MS },
  week: { label: 'Last 7 days', ms: 7 * 24 * HOUR_MS },
  month: { label: 'Last 30 days', ms: 30 * 24 * HOUR_MS },
};
const CHOICES = [
  ...Object.entries(SPANS).map(([value, { label }]) => ({ value, label })),
  { value: 'own', label: 'From … to …' },
];

export function TimeFields({ from, to, onChange }: TimeFieldsProps) {
  const [choice, setChoice] = useState<string | null>(from === undefined && to === undefined ? null : 'own');
  const choose = (value: string | null) => {
    setChoice(value);
    const span = SPANS[value ?? ''];
    if (value === null) onChange({ from: undefined, to: undefined });
    else if (span !== undefined)
      onChange({ from: new Date(Date.now() - span.ms).toISOString(), to: undefined });
  };
  return (
    <>
      <Select
        size="xs"
        label="Time"
        placeholder="Any time"
        clearable
        comboboxProps={{ withinPortal: false }}
        withScrollArea={false}
        data={CHOICES}
        value={choice}
        onChange={choose}
      />
      {choice === 'own' && (
        <div className={styles.times}>
          <Instant label="From" value={from} onChange={(value) => onChange({ from: value, to })} />
          <Instant label="Before" value={to} onChange={(value) => onChange({ from, to: value })} />
        </div>
      )}
    </>
  );
}

function Instant({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  return (
    <TextInput
      size="xs"
      type="datetime-local"
      label={label}
      value={value === undefined ? '' : toLocalInput(value)}
      onChange={({ currentTarget }) => {
        const at = Date.parse(currentTarget.value);
        onChange(Number.isNaN(at) ? undefined : new Date(at).toISOString());
      }}
    />
  );
}

/** `2026-11-21T18:02`, as the browser's field has it: local and without a zone. */
function toLocalInput(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
