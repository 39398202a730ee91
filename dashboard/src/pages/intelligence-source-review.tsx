/** Effect of the newest version of a feed: how many verdicts it would change, some of these signups, and the decision about it. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { FeedReviewRow, Intelligence, SourceRow } from '../../../src/contract/dashboard-installation.ts';
import { useSend } from '../api.ts';
import { accountHref } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { grouped } from '../ui/format.ts';
import { IconCheck, IconHistory } from '../ui/icons.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { VERDICTS } from '../ui/verdicts.ts';
import styles from './intelligence-page.module.css';

type Choice = 'use' | 'keep';

export function SourceReview({ source, review }: { source: SourceRow; review: FeedReviewRow }) {
  const [choice, setChoice] = useState<Choice>();
  const { decision, judged, stricter, milder, examples } = review;
  return (
    <section className={styles.review} aria-label="Newest version">
      <h3>{TITLES[decision]}</h3>
      <p>
        Of {grouped(judged)} signups of the last 7 days, {changedWords(stricter, milder)}. Judged again{' '}
        <RelativeTime at={review.at} />.
      </p>
      {examples.length > 0 && (
        <details open={decision === 'none'}>
          <summary>
            {examples.length < stricter + milder ? `The newest ${examples.length} of them` : 'These signups'}
          </summary>
          <ul>
            {examples.map((example) => (
              <li key={example.request_id}>
                <Link href={accountHref(example.account_id, `assessments/${example.request_id}`)}>
                  <RelativeTime at={example.at} />
                </Link>{' '}
                {VERDICTS[example.old_verdict].word} → {VERDICTS[example.new_verdict].word}
              </li>
            ))}
          </ul>
        </details>
      )}
      <div className={styles.actions}>
        {decision !== 'used' && (
          <Button leftSection={<IconCheck size={16} />} onClick={() => setChoice('use')}>
            Use it…
          </Button>
        )}
        {decision !== 'kept' && (
          <Button variant="default" leftSection={<IconHistory size={16} />} onClick={() => setChoice('keep')}>
            Keep the old one…
          </Button>
        )}
      </div>
      {choice !== undefined && (
        <Decide source={source} review={review} choice={choice} onClose={() => setChoice(undefined)} />
      )}
    </section>
  );
}

const TITLES: Readonly<Record<FeedReviewRow['decision'], string>> = {
  none: 'The newest version waits for you',
  kept: 'The newest version is not used',
  used: 'The newest version is used',
};

/** `312 would get a stricter verdict and 4 a milder one` */
function changedWords(stricter: number, milder: number): string {
  if (milder === 0) return `${grouped(stricter)} would get a stricter verdict`;
  if (stricter === 0) return `${grouped(milder)} would get a milder verdict`;
  return `${grouped(stricter)} would get a stricter verdict and ${grouped(milder)} a milder one`;
}

interface DecideProps {
  readonly source: SourceRow;
  readonly review: FeedReviewRow;
  readonly choice: Choice;
  onClose(): void;
}

function Decide({ source, review, choice, onClose }: DecideProps) {
  const change = useSend<Intelligence>('POST', `/intelligence/${source.id}/${choice}`, {
    refreshes: ['/intelligence'],
    version: source.state_version,
  });
  return choice === 'use' ? (
    <ChangeDialog
      change={change}
      body={undefined}
      title={`Use the newest version of ${source.id}?`}
      verb="Use it"
      onClose={onClose}
    >
      <p>
        Version {review.version} is used for the next signups of every account within seconds. “Keep the old
        one” undoes it.
      </p>
    </ChangeDialog>
  ) : (
    <ChangeDialog
      change={change}
      body={undefined}
      title={`Keep the old version of ${source.id}?`}
      verb="Keep the old one"
      onClose={onClose}
    >
      <p>
        Version {review.version} is not used. The publisher’s next version is looked at again. “Use it” undoes
        this.
      </p>
    </ChangeDialog>
  );
}
