/** One line on the service itself: how fast it answers, and whether feeds and sources are in order. */
import { Fragment } from 'react';
import { Link } from 'wouter';
import type { Today } from '../../../src/contract/dashboard-today.ts';
import { useSession } from '../api.ts';
import { linkTo } from '../pages.ts';
import styles from './today-page.module.css';
import { statusWords } from './today-status-words.ts';

export function Status({ today }: { today: Today }) {
  const distrusted = useSession().data?.distrusted ?? [];
  const words = statusWords(
    today,
    distrusted.map(({ source }) => source),
  );
  return (
    <p className={styles.status}>
      {words.map(({ text, isBad, ofFeeds }, index) => (
        <Fragment key={text}>
          {index > 0 && ' · '}
          <span data-bad={isBad || undefined}>
            {ofFeeds ? <Link href={linkTo('/intelligence')}>{text}</Link> : text}
          </span>
        </Fragment>
      ))}
    </p>
  );
}
