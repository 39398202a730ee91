/** Shows a whole number with its thousands grouped and figures of one width. */
import { grouped } from './format.ts';

export function NumberText({ value, none = '–' }: { value: number | null | undefined; none?: string }) {
  if (value === null || value === undefined) return <span className="gh-faint">{none}</span>;
  return <span style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>{grouped(value)}</span>;
}
