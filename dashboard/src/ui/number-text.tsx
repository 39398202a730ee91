/** Shows a whole number with its thousands grouped and figures of one width. */
import { grouped } from './format.ts';

export function NumberText({ value }: { value: number }) {
  return (
    <span data-figure style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
      {grouped(value)}
    </span>
  );
}
