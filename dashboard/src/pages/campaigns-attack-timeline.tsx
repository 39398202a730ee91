/** Timeline of an attack: its own moments and people's actions against it, the newest first. */
import type { AttackCard } from '../../../src/contract/dashboard-attacks.ts';
import { personName } from '../ui/person-name.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import styles from './campaigns-page.module.css';

type Moment = AttackCard['timeline'][number];

const WORDS: Readonly<Record<string, string>> = {
  first: 'First signup',
  found: 'Gatehouse found it',
  last: 'Latest signup',
  ended: 'Over',
  'campaign.confirm': 'confirmed it',
  'campaign.dismiss': 'said that it is not an attack',
  'campaign.end': 'ended it',
  'campaign.reopen': 'reopened it',
  'campaign.restore': 'took a decision back',
  'campaign.block': 'blocked it',
  'campaign.report': 'labelled as fraud',
  'campaign.undo': 'undid all',
  'takeback.start': 'took back',
  'takeback.cancel': 'cancelled taking back',
  'takeback.continue': 'went on taking back',
  'takeback.name': 'added',
  'takeback.undo': 'released the accounts that were held',
};
const ENDS: Readonly<Record<string, string>> = {
  silence: 'no new members',
  good_reports: 'members were reported as good customers',
  quiet: 'nothing unusual any more',
};

export function AttackTimeline({ card: { timeline } }: { card: AttackCard }) {
  return (
    <>
      <h3>What happened</h3>
      <ol className={styles.timeline} aria-label="What happened">
        {timeline.map((moment) => (
          <li key={`${moment.at} ${moment.what}`}>
            <span className="gh-dim">
              <RelativeTime at={moment.at} />
            </span>
            <span>{sentenceOf(moment)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

function sentenceOf({ by, what, detail }: Moment): string {
  const words = WORDS[what] ?? what;
  const more = detail === '' ? '' : `: ${ENDS[detail] ?? detail}`;
  return by === null ? `${words}${more}` : `${personName(by)} ${words}${more}`;
}
