/** The columns of the tables of sources. */
import type { SourceRow, SourceState } from '../../../src/contract/dashboard-installation.ts';
import type { Column } from '../ui/data-table.tsx';
import { grouped } from '../ui/format.ts';
import { NumberText } from '../ui/number-text.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { factWords } from './intelligence-fact-words.ts';
import styles from './intelligence-page.module.css';
import { SOURCE_STATES } from './intelligence-source-states.ts';

const SOURCE: Column<SourceRow> = {
  id: 'source',
  head: 'Source',
  cell: ({ id, says }) => (
    <span className={styles.source}>
      <strong>{id}</strong> <span>{factWords(says)}</span>
    </span>
  ),
};
const ENTRIES: Column<SourceRow> = {
  id: 'entries',
  head: 'Entries',
  width: 100,
  align: 'right',
  cell: ({ entries }) => <NumberText value={entries} />,
};
const VERSION: Column<SourceRow> = {
  id: 'version',
  head: 'Version',
  width: 150,
  from: 'lg',
  cell: ({ version }) => (
    <span className="gh-mono gh-dim" title={version}>
      {version || '–'}
    </span>
  ),
};

export const FEED_COLUMNS: readonly Column<SourceRow>[] = [
  SOURCE,
  { id: 'state', head: 'State', width: 150, cell: ({ state }) => <StateWord state={state} /> },
  VERSION,
  {
    id: 'fetched',
    head: 'Fetched',
    width: 'clamp(84px, 10vw, 128px)',
    from: 'sm',
    cell: ({ fetched_at }) => <RelativeTime at={fetched_at} />,
  },
  { ...ENTRIES, from: 'sm' },
  {
    id: 'change',
    head: 'Last change',
    width: 140,
    align: 'right',
    from: 'md',
    cell: (source) => <Change {...source} />,
  },
];

export const BUNDLED_COLUMNS: readonly Column<SourceRow>[] = [SOURCE, { ...VERSION, from: 'md' }, ENTRIES];

export function StateWord({ state }: { state: SourceState }) {
  const { word, icon: Icon, ink } = SOURCE_STATES[state];
  return (
    <span className={styles.state} style={{ color: ink }}>
      <Icon size={15} aria-hidden />
      {word}
    </span>
  );
}

/** `+1,204 −380` */
export function Change({ added, removed }: Pick<SourceRow, 'added' | 'removed'>) {
  if (added === null && removed === null) return <span className="gh-faint">–</span>;
  return (
    <span>
      +{grouped(added ?? 0)} <span className="gh-dim">−{grouped(removed ?? 0)}</span>
    </span>
  );
}
