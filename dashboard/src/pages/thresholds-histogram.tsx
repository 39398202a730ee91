/** The histogram of scores with its two thresholds: scores below the first are allowed, scores from the second on blocked. */
import { type PointerEvent, useRef, useState } from 'react';
import type { Simulation } from '../../../src/contract/dashboard-account.ts';
import type { Thresholds } from '../../../src/model/policy.ts';
import { ChartFrame } from '../ui/chart-frame.tsx';
import { grouped } from '../ui/format.ts';
import { VERDICTS, verdictOf } from '../ui/verdicts.ts';
import type { Scale } from './thresholds-bar-scale.ts';
import { Bars } from './thresholds-bars.tsx';
import { ThresholdHandle } from './thresholds-handle.tsx';
import styles from './thresholds-histogram.module.css';
import { LabelMarks, MarkLegend } from './thresholds-label-marks.tsx';

export interface HistogramProps {
  /** `undefined` while it loads. */
  readonly simulation: Simulation | undefined;
  readonly thresholds: Thresholds;
  readonly scale: Scale;
  readonly compared: boolean;
  /** The service is counting for other weights or another period. */
  readonly stale: boolean;
  onMove(thresholds: Thresholds): void;
}

const HEIGHT = 328;
const AXIS = Array.from({ length: 11 }, (_, index) => 10 * index);

export function Histogram({ simulation, thresholds, scale, compared, stale, onMove }: HistogramProps) {
  const plot = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number>();
  const { challenge, block } = thresholds;
  const shareAt = (clientX: number) => {
    const { left, width } = plot.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    return (101 * (clientX - left)) / width;
  };
  const point = (event: PointerEvent) => {
    const score = Math.floor(shareAt(event.clientX));
    setPointed(score >= 0 && score <= 100 ? score : undefined);
  };
  const scoreAt = (clientX: number) => Math.round(shareAt(clientX));
  return (
    <div className={styles.histogram} data-stale={stale || undefined}>
      <ChartFrame
        label="Signups by score, as they would be judged"
        height={HEIGHT}
        loading={simulation === undefined}
        table={{
          heads: ['Score', 'Verdict', 'Signups', 'Before', 'Good customers', 'Fraud'],
          rows: simulation === undefined ? [] : rowsOf(simulation, thresholds),
        }}
      >
        {simulation && (
          <div className={styles.plot} onPointerMove={point} onPointerLeave={() => setPointed(undefined)}>
            <Bars
              simulation={simulation}
              thresholds={thresholds}
              scale={scale}
              compared={compared}
              pointed={pointed}
            />
            <LabelMarks labels={simulation.labels} thresholds={thresholds} />
            <ScoreAxis />
            {pointed !== undefined && (
              <Exact simulation={simulation} thresholds={thresholds} pointed={pointed} />
            )}
          </div>
        )}
      </ChartFrame>
      {simulation && (
        <>
          <div className={styles.handles} ref={plot}>
            <ThresholdHandle
              verdict="challenge"
              value={challenge}
              min={1}
              max={block}
              words={`Signups that score ${challenge} to ${block - 1} are challenged`}
              scoreAt={scoreAt}
              onMove={(value) => onMove({ challenge: value, block })}
            />
            <ThresholdHandle
              verdict="block"
              value={block}
              min={challenge}
              max={100}
              words={`Signups that score ${block} or more are blocked`}
              scoreAt={scoreAt}
              onMove={(value) => onMove({ challenge, block: value })}
            />
          </div>
          <MarkLegend labels={simulation.labels} compared={compared} />
        </>
      )}
    </div>
  );
}

function ScoreAxis() {
  return (
    <div className={styles.axis}>
      {AXIS.map((score) => (
        <span key={score} style={{ left: `${(100 * (score + 0.5)) / 101}%` }}>
          {score}
        </span>
      ))}
    </div>
  );
}

function Exact({
  simulation,
  thresholds,
  pointed,
}: {
  simulation: Simulation;
  thresholds: Thresholds;
  pointed: number;
}) {
  const { word, icon: Icon, ink } = VERDICTS[verdictOf(pointed, thresholds)];
  return (
    <div className={styles.exact} data-side={pointed > 50 ? 'left' : 'right'}>
      Score {pointed}
      <strong>{grouped(simulation.scores_after[pointed] ?? 0)}</strong>
      <span style={{ color: ink }}>
        <Icon size={13} /> {word}
      </span>
    </div>
  );
}

function rowsOf(
  { scores_after: after, scores_before: before, labels }: Simulation,
  thresholds: Thresholds,
): (string | number)[][] {
  return after.flatMap((count, score) => {
    const label = labels.find((candidate) => candidate.score === score);
    if (count === 0 && before[score] === 0 && label === undefined) return [];
    const verdict = VERDICTS[verdictOf(score, thresholds)].word;
    const reported = [label?.good ?? 0, label?.fraud ?? 0];
    return [[score, verdict, grouped(count), grouped(before[score] ?? 0), ...reported]];
  });
}
