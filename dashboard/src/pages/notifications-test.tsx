/** Sends a test message to a destination, and says what came of it. */
import { useEffect, useRef } from 'react';
import type { DestinationRow } from '../../../src/contract/dashboard-destinations.ts';
import type { ManageDestinationTest } from '../../../src/contract/manage-destination-messages.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { NoteDialog } from '../ui/note-dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';

export function TestDestination({
  destination,
  onClose,
}: {
  destination: DestinationRow;
  onClose: () => void;
}) {
  const { api } = useScope();
  const { id, name, address, disabled_at } = destination;
  const { mutate, data, error } = useSend<ManageDestinationTest>('POST', api(`destinations/${id}/test`), {
    refreshes: [api('destinations')],
  });
  const begun = useRef(false);
  useEffect(() => {
    if (!begun.current) mutate();
    begun.current = true;
  }, [mutate]);
  return (
    <NoteDialog title={`Test of “${name}”`} onClose={onClose}>
      <div role="status">
        {data === undefined && error === null && <p>Sending a message to {address}…</p>}
        {data?.delivered === true && <p>The message arrived. {address} accepted it.</p>}
        {data?.delivered === false && data.problem !== null && (
          <p>The message did not arrive: {data.problem}. It is tried again for a day.</p>
        )}
        {data?.delivered === false && data.problem === null && (
          <p>The message is on its way. The log of deliveries says what comes of it.</p>
        )}
        {disabled_at !== null && <p>The destination is paused: nothing but this test is sent to it.</p>}
      </div>
      <ProblemNote error={error} />
    </NoteDialog>
  );
}
