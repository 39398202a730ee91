/** Everything that is known about one value: in sentences, then every entry of every source, and why some are overridden. */
import type { SourceLookup } from '../../../src/contract/dashboard-installation.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { IconCheck, IconVolumeOff } from '../ui/icons.ts';
import { Credits } from './intelligence-credits.tsx';
import styles from './intelligence-page.module.css';

type Claim = SourceLookup['claims'][number];

const COLUMNS: readonly Column<Claim>[] = [
  {
    id: 'fact',
    head: 'Says',
    width: 'max(104px, 16%)',
    cell: ({ fact }) => <span title={fact}>{fact.replaceAll('_', ' ')}</span>,
  },
  { id: 'source', head: 'Source', cell: ({ source }) => <span title={source}>{source}</span> },
  {
    id: 'entry',
    head: 'Entry',
    from: 'sm',
    width: '22%',
    cell: ({ entry }) => (
      <span className="gh-mono" title={entry}>
        {entry}
      </span>
    ),
  },
  {
    id: 'version',
    head: 'Version',
    from: 'lg',
    width: 130,
    cell: ({ version }) => (
      <span className="gh-mono gh-dim" title={version}>
        {version}
      </span>
    ),
  },
  {
    id: 'holds',
    head: 'Used',
    width: '28%',
    cell: ({ holds, silenced_by }) =>
      holds ? (
        <span className={styles.state} style={{ color: 'var(--gh-text)' }}>
          <IconCheck size={15} aria-hidden /> used
        </span>
      ) : (
        <span className="gh-dim" title={silenced_by}>
          <IconVolumeOff size={15} className={styles.silent} aria-hidden /> {silenced_by || 'overridden'}
        </span>
      ),
  },
];

export function Claims({ lookup }: { lookup: SourceLookup }) {
  const { query, kind, summary } = lookup;
  const claims = [...lookup.claims].sort((a, b) => Number(b.holds) - Number(a.holds));
  return (
    <div className={styles.claims}>
      <p>
        <strong className="gh-mono">{query}</strong>{' '}
        <span className="gh-faint">{kind === 'ip' ? 'IP address' : 'domain'}</span>
      </p>
      <ul className={styles.summary}>
        {summary.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {claims.length > 0 && (
        <div className={styles.framed}>
          <DataTable
            label={`Entries about ${query}`}
            columns={COLUMNS}
            rows={claims}
            rowKey={({ source, fact, entry, version }) => `${source} ${fact} ${entry} ${version}`}
          />
        </div>
      )}
      {kind === 'ip' && <Credits />}
    </div>
  );
}
