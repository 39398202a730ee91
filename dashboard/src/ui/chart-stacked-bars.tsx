/** Draws counts over time as stacked bars from zero: unfinished bars are hatched; pointer and keys show exact values. */
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type PointerEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { endLabels, niceCeiling } from './chart-axis.ts';
import { barAt, barByKey, namedBars } from './chart-bar-layout.ts';
import type { Bar, ChartLayer, ChartMark } from './chart-bars.ts';
import { ExactValues } from './chart-exact-values.tsx';
import styles from './chart-stacked-bars.module.css';
import { grouped, short } from './format.ts';

export interface StackedBarsProps {
  readonly label: string;
  /** Lowest first. */
  readonly layers: readonly ChartLayer[];
  readonly bars: readonly Bar[];
  readonly height: number;
  /** Bars that the axis may name, the longest list first: the first list that fits is used. */
  readonly names: readonly (readonly number[])[];
  /** The first bar of the hour, day or month that is not over. */
  readonly unfinishedFrom: number;
  /** Opens what the bars count, from the first to the last: one bar, unless several can be chosen. */
  readonly onOpen?: ((first: number, last: number) => void) | undefined;
  readonly marks?: readonly ChartMark[] | undefined;
  /** Set it if a drag, or Shift and an arrow key, chooses several bars. */
  readonly brush?: boolean;
}

const TOP = 20;
/** Space above the bars if there are flags: the words of the unfinished bars are above them. */
const TOP_WITH_MARKS = 36;
const BOTTOM = 26;
const LABEL_GAP = 18;

export function StackedBars(props: StackedBarsProps) {
  const { layers, bars, height, names, unfinishedFrom, marks = [] } = props;
  const [plot, width] = useWidth<HTMLDivElement>();
  const pointer = useBarPointer(props, plot, width);
  const { pointed, at, brushed } = pointer;
  const top = marks.length === 0 ? TOP : TOP_WITH_MARKS;
  const { ceiling, ticks } = niceCeiling(Math.max(0, ...bars.map(totalOf)));
  const bar = bars[at];
  return (
    <div className={styles.chart} style={{ height, paddingTop: top, paddingBottom: BOTTOM }}>
      <div className={styles.grid} aria-hidden>
        {ticks.map((tick) => (
          <span key={tick} style={{ bottom: `${(100 * tick) / ceiling}%` }}>
            {short(tick)}
          </span>
        ))}
      </div>
      <div
        ref={plot}
        className={styles.plot}
        role="slider"
        tabIndex={0}
        aria-valuenow={at + 1}
        {...pointer.slider}
      >
        {unfinishedFrom < bars.length && (
          <span
            className={styles.unfinished}
            style={{ top: 2 - top, left: `${(100 * unfinishedFrom) / bars.length}%` }}
          >
            <span>so far</span>
          </span>
        )}
        {brushed !== undefined && (
          <span
            className={styles.brushed}
            style={{
              left: `${(100 * brushed.first) / bars.length}%`,
              width: `${(100 * (brushed.last + 1 - brushed.first)) / bars.length}%`,
            }}
          />
        )}
        {bars.map((bar, index) => (
          <BarColumn key={bar.id} bar={bar} layers={layers} ceiling={ceiling} pointed={index === pointed} />
        ))}
        <Flags marks={marks} />
        {namedBars(names, bars.length, width).map((index) => (
          <span
            key={index}
            className={styles.name}
            style={{ left: `${(100 * (index + 0.5)) / bars.length}%` }}
            aria-hidden
          >
            {bars[index]?.name}
          </span>
        ))}
        {pointed !== undefined && bar && (
          <ExactValues bar={bar} layers={layers} at={at} count={bars.length} />
        )}
      </div>
      <EndLabels layers={layers} bars={bars} ceiling={ceiling} top={top} height={height} />
    </div>
  );
}

function Flags({ marks }: { marks: readonly ChartMark[] }) {
  return marks.map(({ id, kind, place }) => (
    <span key={id} className={styles.mark} data-kind={kind} style={{ left: `${100 * place}%` }} aria-hidden />
  ));
}

/** Finds the bar that the pointer or the keys are on, and makes of the plot a slider from bar to bar. */
function useBarPointer(
  { label, layers, bars, onOpen, brush = false }: StackedBarsProps,
  plot: RefObject<HTMLDivElement | null>,
  width: number,
) {
  const [pointed, setPointed] = useState<number>();
  const wasPointed = useRef<number>(undefined);
  /** The bar at which the choice of several began. */
  const [anchor, setAnchor] = useState<number>();
  // A bar that has not begun has no count.
  const begun = bars.findLastIndex(({ state }) => state !== 'ahead') + 1;
  const at = pointed ?? begun - 1;
  const bar = bars[at];
  const brushed =
    anchor === undefined || anchor === at
      ? undefined
      : { first: Math.min(anchor, at), last: Math.max(anchor, at) };
  const point = ({ clientX }: PointerEvent) => {
    const left = plot.current?.getBoundingClientRect().left ?? 0;
    const bar = Math.min(barAt(clientX - left, width, bars.length), begun - 1);
    setPointed(bar);
    return bar;
  };
  const open = () => {
    onOpen?.(brushed?.first ?? at, brushed?.last ?? at);
    setAnchor(undefined);
  };
  const slider = {
    'aria-label': label,
    'aria-valuemin': 1,
    'aria-valuemax': begun,
    'aria-valuetext': bar && textOf(bars.slice(brushed?.first ?? at, (brushed?.last ?? at) + 1), layers),
    'aria-description': onOpen && describeOpening(brush),
    'data-opens': onOpen && true,
    onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Escape') return leave();
      if (event.key === 'Enter') return open();
      const next = barByKey(event.key, at, begun);
      if (next === undefined) return;
      event.preventDefault();
      setAnchor(brush && event.shiftKey ? (anchor ?? at) : undefined);
      setPointed(next);
    },
    onFocus: () => setPointed((before) => before ?? begun - 1),
    onBlur: leave,
    onPointerDown(event: PointerEvent) {
      // A first tap shows the values; a mouse has shown them already.
      wasPointed.current = event.pointerType === 'touch' ? pointed : undefined;
      const bar = point(event);
      if (!brush || event.pointerType === 'touch') return;
      setAnchor(bar);
      // The drag goes on outside the plot.
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => void point(event),
    onPointerLeave: ({ pointerType }: PointerEvent) =>
      pointerType === 'touch' || anchor !== undefined || setPointed(undefined),
    onClick({ nativeEvent }: MouseEvent) {
      const byTouch = (nativeEvent as { pointerType?: string }).pointerType === 'touch';
      if (!byTouch || wasPointed.current === at) open();
    },
  };
  return { pointed, at, brushed, slider };

  function leave(): void {
    setPointed(undefined);
    setAnchor(undefined);
  }
}

function describeOpening(brush: boolean): string {
  if (!brush) return 'Press Enter to open the signups of this bar.';
  return 'Press Enter to see the signups of this bar alone, Shift and an arrow key to choose several bars.';
}

/** The width of an element in pixels, before the first paint and whenever it changes. */
function useWidth<T extends HTMLElement>(): [RefObject<T | null>, number] {
  const element = useRef<T>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => setWidth(current.getBoundingClientRect().width);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}

interface BarColumnProps {
  readonly bar: Bar;
  readonly layers: readonly ChartLayer[];
  readonly ceiling: number;
  readonly pointed: boolean;
}

/** One bar: a block for each layer that has a count, nothing for zero. */
const BarColumn = memo(function BarColumn({ bar, layers, ceiling, pointed }: BarColumnProps) {
  return (
    <span className={styles.column} data-state={bar.state} data-pointed={pointed || undefined}>
      {layers.map(({ id, fill, hatched, opacity = 1 }, index) => {
        const value = bar.values[index] ?? 0;
        return value === 0 ? null : (
          <span
            key={id}
            data-layer={id}
            data-hatched={hatched || undefined}
            style={{ height: `${(100 * value) / ceiling}%`, color: fill, opacity }}
          />
        );
      })}
    </span>
  );
});

/** Names beside the last finished bar instead of a legend; layers without any count have no name. */
function EndLabels({
  layers,
  bars,
  ceiling,
  top,
  height,
}: Pick<StackedBarsProps, 'layers' | 'bars' | 'height'> & {
  readonly ceiling: number;
  readonly top: number;
}) {
  const drawn = layers.flatMap((layer, index) =>
    bars.some(({ values }) => (values[index] ?? 0) > 0) ? [{ layer, index }] : [],
  );
  const last = bars.findLast(({ state }) => state === 'over') ?? bars.at(-1);
  const places = endLabels(
    drawn.map(({ index }) => last?.values[index] ?? 0),
    { ceiling, top, bottom: height - BOTTOM, gap: LABEL_GAP },
  );
  return (
    <div className={styles.ends} aria-hidden>
      {drawn.map(({ layer: { id, word, icon: Icon, ink } }, order) => (
        <span key={id} style={{ top: places[order], color: ink }}>
          {Icon && <Icon size={13} />}
          {word}
        </span>
      ))}
    </div>
  );
}

function totalOf({ values }: Bar): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function textOf(bars: readonly Bar[], layers: readonly ChartLayer[]): string {
  const sumOf = (layer: number) => bars.reduce((sum, { values }) => sum + (values[layer] ?? 0), 0);
  const counts = layers.map(({ word }, layer) => `${word} ${grouped(sumOf(layer))}`);
  const titles = bars.length > 1 ? [bars[0], bars.at(-1)] : bars;
  return `${titles.map((bar) => bar?.title).join(' to ')}: ${counts.join(', ')}`;
}
