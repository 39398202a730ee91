/** Feedback on a signup: a reported mistake or, for a stopped signup, confirmed fraud. */
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type {
  AssessmentDetail,
  FeedbackMark,
  WrittenAppeal,
} from '../../../src/contract/dashboard-assessments.ts';
import { later } from '../ui/later.tsx';
import { personName } from '../ui/person-name.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { VERDICTS } from '../ui/verdicts.ts';
import { LABELS } from './assessment-label-choices.ts';
import styles from './assessment-view.module.css';

const Report = later(async () => (await import('./assessment-report.tsx')).Report);

export function FeedbackSection({ detail }: { detail: AssessmentDetail }) {
  const [open, setOpen] = useState(false);
  const { feedback, appeal, row } = detail;
  return (
    <section className={styles.section} aria-label="Feedback">
      <h2>Feedback</h2>
      <div className={styles.feedback}>
        {appeal !== null && <Appeal appeal={appeal} />}
        {feedback !== null && <Mark mark={feedback} />}
        {open ? (
          <Report detail={detail} onClose={() => setOpen(false)} />
        ) : (
          <>
            {feedback === null && (
              <p className="gh-dim">
                {wasItRight(row)} Reports show which reasons make mistakes. The simulator uses them, too.
              </p>
            )}
            <Group gap="xs">
              <Button variant="default" size="xs" onClick={() => setOpen(true)}>
                {feedback === null ? 'Report a mistake' : 'Change report'}
              </Button>
            </Group>
          </>
        )}
      </div>
    </section>
  );
}

/** The words of the person who was stopped. They are hers alone: nobody else has checked them. */
function Appeal({ appeal: { text, contact, at, closed_by: by } }: { appeal: WrittenAppeal }) {
  return (
    <div className={styles.mark}>
      <strong>Appeal</strong>
      <blockquote style={{ whiteSpace: 'pre-wrap' }}>{text}</blockquote>
      <span className="gh-dim">
        written by the person, <RelativeTime at={at} />
        {contact !== null && <> · contact: {contact}</>}
        {by !== null && <> · closed by {personName(by)}</>}
      </span>
    </div>
  );
}

function wasItRight({ verdict, shadow }: AssessmentDetail['row']): string {
  return shadow && verdict !== 'allow'
    ? `Would it have been right to ${verdict} this signup?`
    : `Was it right that this signup was ${VERDICTS[verdict].did}?`;
}

function Mark({ mark }: { mark: FeedbackMark }) {
  const words = LABELS.find(({ value }) => value === mark.outcome)?.label ?? mark.outcome;
  return (
    <div className={styles.mark}>
      <strong>{words}</strong>
      {mark.note !== null && mark.note !== '' && <blockquote>{mark.note}</blockquote>}
      <span className="gh-dim">
        {mark.note ? '' : ', '}
        {mark.by === 'outcome' ? 'from a reported outcome' : <>reported by {personName(mark.by)}</>},{' '}
        <RelativeTime at={mark.at} />
      </span>
    </div>
  );
}
