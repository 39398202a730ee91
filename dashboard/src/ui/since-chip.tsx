/** Shows that a list has only what was there since an instant that a link named; a click shows all. */
import { FilterChips } from './filter-chips.tsx';
import { useTimes } from './use-times.ts';

export interface SinceChipProps {
  /** `With members since` */
  readonly name: string;
  /** RFC 3339; anything else: there is no chip. */
  readonly since: string | undefined;
  onRemove(): void;
}

export function SinceChip({ name, since = '', onRemove }: SinceChipProps) {
  const times = useTimes();
  if (Number.isNaN(Date.parse(since))) return null;
  const value = times.moment(since, Date.now());
  return <FilterChips chips={[{ id: name, name, value, onRemove }]} onClear={onRemove} />;
}

/** Whether something was there since the instant; also if there is none. */
export function wasSince(at: string, since = ''): boolean {
  return !(Date.parse(at) < Date.parse(since));
}
