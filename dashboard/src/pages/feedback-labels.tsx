/** Labels from a file: reads it here, shows what its rows would report, and reports them with one Undo. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { grouped, pluralize } from '../ui/format.ts';
import { useUndoToast } from '../ui/undo-toast.tsx';
import { WorkState } from './batch-state.tsx';
import { takeBackAll } from './batch-undo.ts';
import { ChooseFile, type ReadLabels } from './feedback-label-choice.tsx';
import { sumOf, useLabels } from './feedback-label-work.ts';

export function LabelsFromFile({ onClose }: { onClose(): void }) {
  const [read, setRead] = useState<ReadLabels>();
  if (read === undefined) return <ChooseFile onRead={setRead} onClose={onClose} />;
  return <ReportFile {...read} onClose={onClose} />;
}

function ReportFile({ labels, empty, unknown, effect, onClose }: ReadLabels & { onClose(): void }) {
  const { api } = useScope();
  const client = useQueryClient();
  const toast = useUndoToast();
  const refresh = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [key] }) =>
        [api('assessments'), api('feedback')].some((path) => String(key).startsWith(path)),
    });
  const work = useLabels(false, (answers) => {
    const { fraud, good } = sumOf(answers);
    void refresh();
    toast({
      text: `Reported ${pluralize(fraud.reported, 'signup')} as fraud and ${good.reported === 1 ? '1 as a good customer' : `${grouped(good.reported)} as good customers`}.`,
      async undo() {
        await takeBackAll(api('undo'), answers);
        await refresh();
      },
    });
  });
  const total = effect.fraud.reported + effect.good.reported;
  return (
    <ChangeDialog
      title="Labels from a file"
      verb={work.error === null ? `Report ${pluralize(total, 'signup')}` : 'Continue'}
      change={work}
      body={labels}
      onClose={onClose}
    >
      <p>
        {pluralize(labels.length, 'row')} with a label. This reports{' '}
        {pluralize(effect.fraud.reported, 'signup')} as fraud, and{' '}
        {effect.good.reported === 1
          ? '1 as a good customer who was stopped.'
          : `${grouped(effect.good.reported)} as good customers who were stopped.`}
      </p>
      <LeftOut effect={effect} empty={empty} unknown={unknown} />
      <WorkState work={work} verb="rows reported" />
    </ChangeDialog>
  );
}

function LeftOut({ effect, empty, unknown }: Pick<ReadLabels, 'effect' | 'empty' | 'unknown'>) {
  const { fraud, good, missing, contradicting } = effect;
  const words = [...unknown].slice(0, 5).map(([word, rows]) => `“${word}” (${grouped(rows)})`);
  const signups = (number: number) => pluralize(number, 'signup');
  const rows = (number: number) => pluralize(number, 'row');
  const notes: readonly (readonly [number, string])[] = [
    [fraud.same + good.same, `${signups(fraud.same + good.same)} with the same report: nothing changes.`],
    [fraud.other + good.other, `${signups(fraud.other + good.other)} with another report, which stays.`],
    [good.allowed, `${pluralize(good.allowed, 'good customer')} who got in: nothing was wrong.`],
    [missing, `${rows(missing)} for signups that are not stored here.`],
    [contradicting, `${rows(contradicting)} left out, because an earlier one says the opposite.`],
    [empty, `${rows(empty)} without a signup or a label.`],
  ];
  return (
    <>
      <ul>{notes.map(([number, text]) => number > 0 && <li key={text}>{text}</li>)}</ul>
      {words.length > 0 && <p>Unknown labels: {words.join(', ')}.</p>}
    </>
  );
}
