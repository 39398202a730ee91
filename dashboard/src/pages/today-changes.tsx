/** Networks, domains and main findings with far more signups than usual: how many times as many, and which signups. */
import { Link } from 'wouter';
import type { ChangedShare, TodayChanges } from '../../../src/contract/dashboard-today.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { grouped } from '../ui/format.ts';
import { useTimes } from '../ui/use-times.ts';
import styles from './today-page.module.css';

const KINDS: Readonly<Record<ChangedShare['by'], string>> = {
  network: 'network',
  domain: 'mail domain',
  finding: 'main finding',
};

export function Changes({ found }: { found: TodayChanges | undefined }) {
  const { page } = useScope();
  const times = useTimes();
  if (found?.compared_since == null || found.changes.length === 0) return null;
  return (
    <Card
      title="More than usual"
      note={`compared with the time since ${times.day(found.compared_since)}`}
      flush
    >
      <table className={styles.changes}>
        <thead className="gh-hidden">
          <tr>
            {['What', 'Times', 'Usual and now'].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.changes.map(({ by, label, count, usual, filter }) => (
            <tr key={`${by} ${label}`}>
              <th scope="row">
                {label} <span className="gh-faint">{KINDS[by]}</span>
              </th>
              <td>{timesWords(count, usual)}</td>
              <td>
                {usualWords(usual)} → <Link href={page('assessments', filter)}>{grouped(count)}</Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

/** `×6`; of what is usually absent, `new`. */
export function timesWords(count: number, usual: number): string {
  return usual < 1 ? 'new' : `×${grouped(count / usual)}`;
}

function usualWords(usual: number): string {
  return usual > 0 && usual < 1 ? 'under 1' : grouped(usual);
}
