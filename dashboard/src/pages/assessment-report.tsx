/** The form in which a person says whether a verdict was right. */
import { Group, Radio, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { AssessmentDetail, Label } from '../../../src/contract/dashboard-assessments.ts';
import { Form, FormActions } from '../ui/form.tsx';
import { meanwhileOf, YIELD } from '../ui/meanwhile-note.tsx';
import { useForm } from '../ui/use-form.ts';
import { type LabelBody, useLabel } from './assessment-label.ts';
import { LABELS, MISTAKES } from './assessment-label-choices.ts';

export function Report({ detail, onClose }: { detail: AssessmentDetail; onClose: () => void }) {
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
