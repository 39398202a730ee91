/** Feedback on a signup: a reported mistake or, for a stopped signup, confirmed fraud. */
import { Button, Group, Radio, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { AssessmentDetail, FeedbackMark, Label } from '../../../src/contract/dashboard-assessments.ts';
import { Form, FormActions } from '../ui/form.tsx';
import { meanwhileOf, YIELD } from '../ui/meanwhile-note.tsx';
import { personName } from '../ui/person-name.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { useForm } from '../ui/use-form.ts';
import { VERDICTS } from '../ui/verdicts.ts';
import { type LabelBody, useLabel } from './assessment-label.ts';
import styles from './assessment-view.module.css';

interface Choice {
  readonly value: Label;
  readonly label: string;
  readonly description: string;
}

const CONFIRMED: Choice = {
  value: 'confirmed_fraud',
  label: 'Fraud confirmed',
  description: 'Stopping it was right.',
};
const MISTAKES: readonly Choice[] = [
  { value: 'false_positive', label: 'Good customer stopped', description: 'A false positive.' },
  { value: 'false_negative', label: 'Fraud let in', description: 'A false negative.' },
];
const LABELS = [...MISTAKES, CONFIRMED];

export function FeedbackSection({ detail }: { detail: AssessmentDetail }) {
  const [open, setOpen] = useState(false);
  const { feedback, row } = detail;
  return (
    <section className={styles.section} aria-label="Feedback">
      <h2>Feedback</h2>
      <div className={styles.feedback}>
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
        {mark.note ? '' : ', '}reported by {personName(mark.by)}, <RelativeTime at={mark.at} />
      </span>
    </div>
  );
}

function Report({ detail, onClose }: { detail: AssessmentDetail; onClose: () => void }) {
  const { row, feedback } = detail;
  const [begun] = useState(detail.version);
  const change = useLabel({ ...row, version: detail.version, begun });
  const isLate = meanwhileOf(change.error) !== undefined;
  const form = useForm<LabelBody, LabelBody>({
    values: {
      outcome: feedback?.outcome ?? (row.verdict === 'allow' ? 'false_negative' : 'false_positive'),
      note: feedback?.note ?? '',
    },
    change,
    body: ({ outcome, note }) => ({ outcome, note: note?.trim() || null }),
    onDone: onClose,
    onClose,
  });
  return (
    <Form
      form={form}
      actions={
        <FormActions
          verb={isLate ? 'Send report anyway' : 'Send report'}
          busy={form.busy}
          onCancel={form.close}
          {...(isLate ? { cancel: YIELD } : {})}
        />
      }
    >
      <Radio.Group
        label="What was it"
        value={form.values.outcome}
        onChange={(value) => form.set({ outcome: value as Label })}
      >
        <Group gap="lg" mt={6}>
          {(row.verdict === 'allow' ? MISTAKES : LABELS).map((choice) => (
            <Radio key={choice.value} {...choice} />
          ))}
        </Group>
      </Radio.Group>
      <Textarea
        label="Note"
        description="Optional: how you know."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={4_000}
        {...form.text('note')}
      />
    </Form>
  );
}
