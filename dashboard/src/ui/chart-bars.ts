/** The data of a bar chart: its layers, and its bars with a count for each layer. */
import type { ComponentType, CSSProperties } from 'react';

export interface ChartLayer {
  readonly id: string;
  readonly word: string;
  /** Colours of the theme. */
  readonly fill: string;
  readonly ink: string;
  /** Drawn as lines, because it is not what the other layers are. */
  readonly hatched?: boolean;
  /** 0 … 1 */
  readonly opacity?: number;
  readonly icon?: ComponentType<{ size?: number; style?: CSSProperties }>;
}

/** A flag above the bars, or a tick below them, at a place of the axis. Its words stand elsewhere. */
export interface ChartMark {
  readonly id: string;
  readonly kind: 'flag' | 'tick';
  /** 0 … 1, from the start of the first bar to the end of the last. */
  readonly place: number;
}

export interface Bar {
  readonly id: string;
  /** Name on the axis. */
  readonly name: string;
  /** Title above the exact values. */
  readonly title: string;
  /** One a layer, lowest first. */
  readonly values: readonly number[];
  /** State: over, still counting, or not begun. */
  readonly state: 'over' | 'running' | 'ahead';
}
