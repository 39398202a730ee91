/** One threshold on the histogram: dragged, or moved by the arrow keys (with Shift by five). */
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { VERDICTS } from '../ui/verdicts.ts';
import styles from './thresholds-histogram.module.css';

export interface ThresholdHandleProps {
  readonly verdict: 'challenge' | 'block';
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** Meaning of the value, for assistive technology: `Challenge from 30, 120 signups`. */
  readonly words: string;
  /** The score under a place of the pointer. */
  scoreAt(clientX: number): number;
  onMove(value: number): void;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: -100,
  End: 100,
};

export function ThresholdHandle(props: ThresholdHandleProps) {
  const { verdict, value, min, max, words, scoreAt, onMove } = props;
  const [dragging, setDragging] = useState(false);
  const { icon: Icon, ink, soft, word } = VERDICTS[verdict];
  const move = (to: number) => onMove(Math.min(max, Math.max(min, to)));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    move(value + (event.shiftKey && Math.abs(step) === 1 ? 5 * step : step));
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragging(true);
  };
  return (
    <div
      className={styles.handle}
      data-verdict={verdict}
      data-dragging={dragging || undefined}
      style={{ left: `${(100 * value) / 101}%`, color: ink }}
      role="slider"
      tabIndex={0}
      aria-label={`${word} from`}
      aria-orientation="horizontal"
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={words}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => {
        if (dragging) move(scoreAt(event.clientX));
      }}
      onPointerUp={() => setDragging(false)}
      onPointerCancel={() => setDragging(false)}
    >
      <span className={styles.knob} style={{ background: soft }}>
        <Icon size={14} aria-hidden />
        {value}
      </span>
    </div>
  );
}
