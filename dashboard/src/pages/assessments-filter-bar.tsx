/** Above the history: the verdicts to show, the filter form, the active filters, new rows, and the export. */
import { Button, SegmentedControl } from '@mantine/core';
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';
import { FilterChips } from '../ui/filter-chips.tsx';
import { grouped } from '../ui/format.ts';
import { IconArrowUp } from '../ui/icons.ts';
import { useTimes } from '../ui/use-times.ts';
import { VERDICT_ORDER, VERDICTS } from '../ui/verdicts.ts';
import { chipsOf } from './assessments-chips.ts';
import { ExportButton, ExportNote, useExport } from './assessments-export-button.tsx';
import type { UsedFilter } from './assessments-filter.ts';
import { FilterButton } from './assessments-filter-button.tsx';
import { useFilterNames } from './assessments-filter-names.ts';
import { GroupingSelect } from './assessments-groups.tsx';
import type { SignupHistory } from './assessments-history.ts';
import styles from './assessments-page.module.css';
import { SavedFiltersButton } from './assessments-saved-filters.tsx';

const VERDICT_CHOICES = [
  { value: '', label: 'All' },
  ...VERDICT_ORDER.map((verdict) => ({ value: verdict, label: VERDICTS[verdict].word })),
];

export function FilterBar({
  used,
  history,
  rows,
}: {
  used: UsedFilter;
  history: SignupHistory;
  rows: readonly AssessmentRow[];
}) {
  const times = useTimes();
  const { filter, chosen, set, clear } = used;
  const nameOf = useFilterNames(chosen);
  const exporting = useExport(filter);
  return (
    <div className={styles.filterBar}>
      <div className={styles.filterLine}>
        <SegmentedControl
          size="xs"
          aria-label="Verdict"
          className={styles.verdicts}
          data={VERDICT_CHOICES}
          value={chosen.verdict ?? ''}
          onChange={(value) => set({ verdict: value })}
        />
        <FilterButton used={used} rows={rows} />
        <SavedFiltersButton used={used} />
        <GroupingSelect />
        <span className={styles.fresh} aria-live="polite">
          {history.fresh.count > 0 && (
            <Button size="xs" leftSection={<IconArrowUp size={14} />} onClick={history.showFresh}>
              {grouped(history.fresh.count)}
              {history.fresh.atLeast ? '+' : ''} new
            </Button>
          )}
        </span>
        <ExportButton of={exporting} />
      </div>
      <ExportNote of={exporting} />
      <FilterChips chips={chipsOf(chosen, { rows, times, nameOf, set })} onClear={clear} />
    </div>
  );
}
