/** What people reported about an assessment, and the form to report it. */
import { Button, Group, Radio, Textarea } from '@mantine/core';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type {
  AssessmentDetail,
  FeedbackMark,
  LogPage,
} from '../../../../../src/contract/dashboard/assessments.ts';
import type { Outcome } from '../../../../../src/contract/messages.ts';
import { useSend } from '../../../api.ts';
import { useScope } from '../../../scope.ts';
import { ProblemNote } from '../../../ui/state/problem-note.tsx';
import { RelativeTime } from '../../../ui/text/relative-time.tsx';
import styles from './one.module.css';

const OUTCOMES: readonly { value: Outcome; label: string; description: string }[] = [
  { value: 'false_positive', label: 'False positive', description: 'A real customer was stopped.' },
  { value: 'false_negative', label: 'False negative', description: 'A fraud came in.' },
];

export function FeedbackSection({ one }: { one: AssessmentDetail }) {
  const [open, setOpen] = useState(false);
  const { feedback, row } = one;
  return (
    <section className={styles.section} aria-label="Feedback">
      <h2>Feedback</h2>
      <div className={styles.feedback}>
        {feedback !== null && <Mark mark={feedback} />}
        {open ? (
          <Report one={one} onClose={() => setOpen(false)} />
        ) : (
          <>
            {feedback === null && (
              <p className="gh-dim">
                Was it right to have it {row.verdict === 'allow' ? 'allowed' : `${row.verdict}ed`}? Reports
                measure each reason, and the simulator counts with them.
              </p>
            )}
            <Button variant="default" size="xs" onClick={() => setOpen(true)}>
              {feedback === null ? 'Report a mistake' : 'Change report'}
            </Button>
          </>
        )}
      </div>
    </section>
  );
}

function outcomeWords(outcome: Outcome): string {
  return OUTCOMES.find(({ value }) => value === outcome)?.label ?? outcome;
}

function Mark({ mark }: { mark: FeedbackMark }) {
  return (
    <div className={styles.mark}>
      <strong>{outcomeWords(mark.outcome)}</strong>
      {mark.note !== null && mark.note !== '' && <blockquote>{mark.note}</blockquote>}
      <span className="gh-dim">
        {mark.note ? '' : ', '}reported by {mark.by}, <RelativeTime at={mark.at} />
      </span>
    </div>
  );
}

function Report({ one, onClose }: { one: AssessmentDetail; onClose: () => void }) {
  const { api } = useScope();
  const { row, feedback } = one;
  const [outcome, setOutcome] = useState<Outcome>(
    feedback?.outcome ?? (row.verdict === 'allow' ? 'false_negative' : 'false_positive'),
  );
  const [note, setNote] = useState(feedback?.note ?? '');
  const show = useShowInLog(row.request_id);
  const path = api(`assessments/${row.request_id}`);
  const report = useSend<FeedbackMark, { outcome: Outcome; note: string | null }>(
    'POST',
    `${path}/feedback`,
    {
      refreshes: [path, api('feedback')],
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { outcome, note: note.trim() === '' ? null : note.trim() };
    report.mutate(body, {
      onSuccess: () => {
        show(outcome);
        onClose();
      },
    });
  };
  return (
    <form onSubmit={submit}>
      <Radio.Group label="What went wrong" value={outcome} onChange={(value) => setOutcome(value as Outcome)}>
        <Group gap="lg" mt={6}>
          {OUTCOMES.map((choice) => (
            <Radio key={choice.value} {...choice} />
          ))}
        </Group>
      </Radio.Group>
      <Textarea
        label="Note"
        description="How you know; may be left out."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={4_000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <ProblemNote error={report.error} />
      <Group gap="xs">
        <Button type="submit" size="xs" loading={report.isPending}>
          Send report
        </Button>
        <Button variant="default" size="xs" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}

/** The log does not ask again for what it has; the one row that changed is changed where it stands. */
function useShowInLog(requestId: string): (outcome: Outcome) => void {
  const client = useQueryClient();
  const path = useScope().api('assessments');
  return (outcome) =>
    client.setQueriesData<InfiniteData<LogPage>>(
      { predicate: ({ queryKey }) => queryKey[0] === path },
      (log) =>
        log && {
          ...log,
          pages: log.pages.map((page) => ({
            ...page,
            rows: page.rows.map((row) =>
              row.request_id === requestId ? { ...row, feedback: outcome } : row,
            ),
          })),
        },
    );
}
