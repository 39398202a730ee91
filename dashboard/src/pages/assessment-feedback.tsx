/** Feedback on a signup: a reported mistake or, for a stopped signup, confirmed fraud. */
import { Button, Group, Kbd, Radio, Textarea } from '@mantine/core';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type {
  AssessmentDetail,
  AssessmentSearchResult,
  FeedbackMark,
  Label,
} from '../../../src/contract/dashboard-assessments.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { Form, FormActions } from '../ui/form.tsx';
import { isTyping } from '../ui/is-typing.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { useForm } from '../ui/use-form.ts';
import { VERDICTS } from '../ui/verdicts.ts';
import styles from './assessment-view.module.css';

interface LabelBody {
  readonly outcome: Label;
  readonly note: string | null;
}

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
              {feedback === null && row.verdict !== 'allow' && <ConfirmFraud detail={detail} />}
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

/** One click or `f`. A mistake can be changed like every report. */
function ConfirmFraud({ detail }: { detail: AssessmentDetail }) {
  const confirm = useLabel(detail);
  const press = useRef(() => {});
  press.current = () => {
    if (!confirm.isPending) confirm.mutate({ outcome: 'confirmed_fraud', note: null });
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'f' && !event.repeat && !isTyping(event)) press.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <ProblemNote error={confirm.error} />
      <Button
        variant="default"
        size="xs"
        loading={confirm.isPending}
        onClick={() => press.current()}
        rightSection={<Kbd size="xs">f</Kbd>}
      >
        Confirm: fraud
      </Button>
    </>
  );
}

function Mark({ mark }: { mark: FeedbackMark }) {
  const words = LABELS.find(({ value }) => value === mark.outcome)?.label ?? mark.outcome;
  return (
    <div className={styles.mark}>
      <strong>{words}</strong>
      {mark.note !== null && mark.note !== '' && <blockquote>{mark.note}</blockquote>}
      <span className="gh-dim">
        {mark.note ? '' : ', '}reported by {mark.by}, <RelativeTime at={mark.at} />
      </span>
    </div>
  );
}

function Report({ detail, onClose }: { detail: AssessmentDetail; onClose: () => void }) {
  const { row, feedback } = detail;
  const form = useForm<LabelBody, LabelBody>({
    values: {
      outcome: feedback?.outcome ?? (row.verdict === 'allow' ? 'false_negative' : 'false_positive'),
      note: feedback?.note ?? '',
    },
    change: useLabel(detail),
    body: ({ outcome, note }) => ({ outcome, note: note?.trim() || null }),
    onDone: onClose,
    onClose,
  });
  return (
    <Form form={form} actions={<FormActions verb="Send report" busy={form.busy} onCancel={form.close} />}>
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

/** Sends a label. The history is not fetched again; only the changed row is updated in the cache. */
function useLabel({ row }: AssessmentDetail) {
  const { api } = useScope();
  const client = useQueryClient();
  const path = api(`assessments/${row.request_id}`);
  const send = useSend<FeedbackMark, LabelBody>('POST', `${path}/feedback`, {
    refreshes: [path, api('feedback')],
  });
  const show = (outcome: Label) =>
    client.setQueriesData<InfiniteData<AssessmentSearchResult>>(
      { predicate: ({ queryKey }) => queryKey[0] === api('assessments') },
      (history) =>
        history && {
          ...history,
          pages: history.pages.map((page) => ({
            ...page,
            rows: page.rows.map((listed) =>
              listed.request_id === row.request_id ? { ...listed, feedback: outcome } : listed,
            ),
          })),
        },
    );
  const mutate: typeof send.mutate = (body, options) =>
    send.mutate(body, {
      ...options,
      onSuccess: (...answer) => {
        show(body.outcome);
        options?.onSuccess?.(...answer);
      },
    });
  return { ...send, mutate };
}
