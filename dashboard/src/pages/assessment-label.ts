/** Sends a label of a signup, and offers to take it back. */
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import type {
  AssessmentRow,
  AssessmentSearchResult,
  Label,
} from '../../../src/contract/dashboard-assessments.ts';
import type { CustomerHelped, GivenMark } from '../../../src/contract/dashboard-customer.ts';
import { send, useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { useUndoToast } from '../ui/undo-toast.tsx';

export interface LabelBody {
  readonly outcome: Label;
  readonly note: string | null;
}

export interface CustomerBody {
  readonly report: boolean;
  readonly address?: string;
  /** Lets the mailbox of the signup in, whatever its address is. */
  readonly mailbox?: boolean;
  readonly days?: number;
  readonly reason?: string;
}

const SAID: Readonly<Record<Label, string>> = {
  false_positive: 'Reported as a good customer who was stopped.',
  false_negative: 'Reported as fraud that was let in.',
  confirmed_fraud: 'Confirmed as fraud.',
};

/** The parts of a signup that its label is about. */
export interface Labelled extends Pick<AssessmentRow, 'request_id' | 'feedback'> {
  /** Version of what was reported, as the page shows it. */
  readonly version: string;
  /** The same when the person began to fill in a form; absent: it is sent at once. */
  readonly begun?: string;
}

/** @param onUndone called after the label was taken back */
export function useLabel(row: Labelled, onUndone?: () => void) {
  const { api } = useScope();
  const changed = useChangedLabel(row, onUndone);
  const path = api(`assessments/${row.request_id}`);
  const send = useSend<GivenMark, LabelBody>('POST', `${path}/feedback`, {
    refreshes: [path],
    version: row.version,
    begun: row.begun ?? row.version,
  });
  const mutate: typeof send.mutate = (body, options) =>
    send.mutate(body, {
      ...options,
      onSuccess: (mark, ...rest) => {
        changed({ text: SAID[mark.outcome], label: mark.outcome, token: mark.undo });
        options?.onSuccess?.(mark, ...rest);
      },
    });
  return { ...send, mutate };
}

/** Reports a real customer and lets her in, with one call. */
export function useRealCustomer(row: Labelled, onUndone?: () => void) {
  const { api } = useScope();
  const changed = useChangedLabel(row, onUndone);
  const path = api(`assessments/${row.request_id}`);
  const send = useSend<CustomerHelped, CustomerBody>('POST', `${path}/customer`, {
    refreshes: [api('lists'), path],
    version: row.version,
    begun: row.begun ?? row.version,
  });
  const mutate: typeof send.mutate = (body, options) =>
    send.mutate(body, {
      ...options,
      onSuccess: (helped, ...rest) => {
        const { entry, feedback, undo } = helped;
        const reported = feedback === null ? '' : ' Reported as a good customer.';
        const allowed = entry === null ? '' : ` ${entry.value} is allowed.`;
        const label = feedback?.outcome ?? row.feedback;
        changed({ text: `Done.${reported}${allowed}`, label, token: undo });
        options?.onSuccess?.(helped, ...rest);
      },
    });
  return { ...send, mutate };
}

interface Changed {
  readonly text: string;
  readonly label: Label | null;
  readonly token: string;
}

/** The history is not fetched again; only the changed row is updated in the cache. */
function useChangedLabel(row: Labelled, onUndone?: () => void): (changed: Changed) => void {
  const { api } = useScope();
  const client = useQueryClient();
  const toast = useUndoToast();
  const show = (label: Label | null) => {
    client.setQueriesData<InfiniteData<AssessmentSearchResult>>(
      { predicate: ({ queryKey }) => queryKey[0] === api('assessments') },
      (history) =>
        history && {
          ...history,
          pages: history.pages.map((page) => ({
            ...page,
            rows: page.rows.map((listed) =>
              listed.request_id === row.request_id ? { ...listed, feedback: label } : listed,
            ),
          })),
        },
    );
    const paths = [api(`assessments/${row.request_id}`), api('feedback'), api('lists')];
    void client.invalidateQueries({
      predicate: ({ queryKey: [key] }) => paths.some((path) => String(key).startsWith(path)),
    });
  };
  return ({ text, label, token }) => {
    show(label);
    toast({
      text,
      async undo() {
        await send('POST', api('undo'), { token });
        show(row.feedback);
        onUndone?.();
      },
    });
  };
}
