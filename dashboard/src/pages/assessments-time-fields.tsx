/** Chooses a span of time: one that moves with the clock, or two instants by the account's clock. */
import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { WallClock } from '../../../src/model/time-zone.ts';
import { useTimes } from '../ui/use-times.ts';
import { isRecentSpan, RECENT_SPANS } from './assessments-filter.ts';
import styles from './assessments-page.module.css';

export interface TimeFieldsProps {
  readonly period: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  onChange(times: Times): void;
}

type Times = Readonly<Record<'period' | 'from' | 'to', string | undefined>>;

const ANY: Times = { period: undefined, from: undefined, to: undefined };
const CHOICES = [
  ...Object.entries(RECENT_SPANS).map(([value, words]) => ({ value, label: `Last ${words}` })),
  { value: 'own', label: 'From … to …' },
];

export function TimeFields({ period, from, to, onChange }: TimeFieldsProps) {
  const open = from === undefined && to === undefined ? null : 'own';
  const [choice, setChoice] = useState<string | null>(isRecentSpan(period) ? period : open);
  const choose = (value: string | null) => {
    setChoice(value);
    if (value === 'own') onChange({ period: undefined, from, to });
    else onChange({ ...ANY, period: value ?? undefined });
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
          <Instant label="From" value={from} onChange={(value) => onChange({ ...ANY, from: value, to })} />
          <Instant label="Before" value={to} onChange={(value) => onChange({ ...ANY, from, to: value })} />
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
  const { wallClock, zone } = useTimes();
  return (
    <TextInput
      size="xs"
      type="datetime-local"
      label={label}
      title={`Time in ${zone}`}
      value={value === undefined ? '' : toInput(wallClock, value)}
      onChange={({ currentTarget }) => {
        const wall = Date.parse(`${currentTarget.value}Z`);
        onChange(Number.isNaN(wall) ? undefined : new Date(wallClock.instantOf(wall)).toISOString());
      }}
    />
  );
}

/** `2026-11-21T18:02`, as the browser's field writes it: without a zone. */
function toInput(wallClock: WallClock, at: string): string {
  const wall = wallClock.wallOf(Date.parse(at));
  return Number.isNaN(wall) ? '' : new Date(wall).toISOString().slice(0, 16);
}
