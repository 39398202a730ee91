/** List of matters that wait for a person, the most harmful first. It is not shown when it is empty. */
import { Link } from 'wouter';
import type { TodayNeeds } from '../../../src/contract/dashboard-today.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { pluralize } from '../ui/format.ts';
import { needWords } from './today-need-words.ts';
import styles from './today-page.module.css';
import { hrefOf, Parts } from './today-parts.tsx';

export function Needs({ found }: { found: TodayNeeds | undefined }) {
  const scope = useScope();
  if (found === undefined || found.needs.length === 0) return null;
  return (
    <Card title="Needs you" note={found.more > 0 && `and ${pluralize(found.more, 'smaller matter')}`} flush>
      <ol className={styles.needs}>
        {found.needs.map((need) => {
          const { id, title, text } = needWords(need);
          return (
            <li key={id}>
              <Link href={hrefOf(title, scope) ?? scope.page('alerts')}>{title.text}</Link>{' '}
              <span className="gh-dim">
                <Parts parts={text} />
              </span>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
