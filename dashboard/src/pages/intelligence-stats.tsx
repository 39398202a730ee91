/** How many sources and entries there are, whether any needs attention, and which snapshot is used. */
import type { Intelligence } from '../../../src/contract/dashboard-installation.ts';
import { CopyText } from '../ui/copy-text.tsx';
import { grouped } from '../ui/format.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { StatCard, StatRow } from '../ui/stat-card.tsx';
import styles from './intelligence-page.module.css';
import { SOURCE_STATES } from './intelligence-source-states.ts';

/** Max. sources that are named. */
const MAX_NAMES = 3;

export function IntelligenceStats({ intelligence }: { intelligence: Intelligence | undefined }) {
  const sources = intelligence?.sources ?? [];
  const inForce = sources.filter(({ entries }) => entries > 0);
  const care = sources.filter(({ state }) => SOURCE_STATES[state].care);
  const bundled = inForce.filter(({ state }) => state === 'bundled').length;
  const fetched = inForce.length - bundled;
  const entries = inForce.reduce((sum, source) => sum + source.entries, 0);
  return (
    <StatRow>
      <StatCard
        label="Active sources"
        value={intelligence && grouped(inForce.length)}
        note={`${grouped(fetched)} fetched, ${grouped(bundled)} bundled`}
      />
      <StatCard label="Entries" value={intelligence && grouped(entries)} note="in all sources" />
      <StatCard
        label="Needs attention"
        value={intelligence && (care.length === 0 ? 'none' : grouped(care.length))}
        note={
          care.length === 0 ? 'nothing stale, waiting, rejected or failed' : namesOf(care.map(({ id }) => id))
        }
      />
      <StatCard
        label="Snapshot"
        value={
          intelligence && (
            <span className={styles.snapshot}>
              <CopyText text={intelligence.snapshot} what="snapshot" />
            </span>
          )
        }
        note={
          intelligence?.made_at ? (
            <>
              since <RelativeTime at={intelligence.made_at} />
            </>
          ) : (
            'since the service started'
          )
        }
      />
    </StatRow>
  );
}

/** `aws, gcp, linode and 25 more` */
function namesOf(ids: readonly string[]): string {
  const more = ids.length - MAX_NAMES;
  return more > 1 ? `${ids.slice(0, MAX_NAMES).join(', ')} and ${grouped(more)} more` : ids.join(', ');
}
