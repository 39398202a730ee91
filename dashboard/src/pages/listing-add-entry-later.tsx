/** The form that adds an entry to a list, whose code is loaded when it is first opened. */
import { lazy, Suspense } from 'react';
import type { AddEntryProps } from './listing-add-entry.tsx';

const Form = lazy(async () => ({ default: (await import('./listing-add-entry.tsx')).AddEntry }));

export function AddEntry(props: AddEntryProps) {
  return (
    <Suspense>
      <Form {...props} />
    </Suspense>
  );
}
