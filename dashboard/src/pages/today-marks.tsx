/** The alerts and the account's own changes of a period, as the flags and ticks of the chart, in words. */
import { Link } from 'wouter';
import type { TodayMarks } from '../../../src/contract/dashboard-today.ts';
import { useScope } from '../scope.ts';
import { pluralize } from '../ui/format.ts';
import { IconBell, IconHistory } from '../ui/icons.ts';
import { useTimes } from '../ui/use-times.ts';
import styles from './today-page.module.css';

const MAX_SHOWN = 5;
/** Words for the actions that are marked. */
const CHANGE_WORDS: Readonly<Record<string, string>> = {
  'thresholds.set': 'Thresholds set',
  'policy.save': 'Weights saved',
  'list.allow': 'Allow list: entry added',
  'list.deny': 'Block list: entry added',
  'list.office': 'Shared offices: entry added',
  'list.remove': 'Lists: entry removed',
  'key.shadow': 'Key enforced for fewer people',
  'key.enforce': 'Key enforced for more people',
};

export function MarksList({ marks: { alerts, changes } }: { marks: TodayMarks }) {
  const { page, canManage } = useScope();
  const times = useTimes();
  const now = Date.now();
  if (alerts.length + changes.length === 0) return null;
  const older = changes.length - MAX_SHOWN;
  return (
    <ul className={styles.marks} aria-label="Alerts and changes of this period">
      {alerts.slice(-MAX_SHOWN).map(({ id, at, title, state }) => (
        <li key={id}>
          <IconBell size={14} aria-label="Alert" />
          <time dateTime={at}>{times.moment(at, now)}</time>
          <Link href={page(`alerts/${id}`, { state: state === 'closed' ? state : undefined })}>{title}</Link>
        </li>
      ))}
      {changes.slice(-MAX_SHOWN).map(({ at, action }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a change may be made twice at one instant
        <li key={`${at} ${index}`}>
          <IconHistory size={14} aria-label="Change" />
          <time dateTime={at}>{times.moment(at, now)}</time>
          {canManage ? (
            <Link href={page('audit', { action })}>{CHANGE_WORDS[action] ?? action}</Link>
          ) : (
            (CHANGE_WORDS[action] ?? action)
          )}
        </li>
      ))}
      {older > 0 && (
        <li className="gh-dim">
          {canManage ? (
            <Link href={page('audit')}>{pluralize(older, 'earlier change')}</Link>
          ) : (
            pluralize(older, 'earlier change')
          )}
        </li>
      )}
    </ul>
  );
}
