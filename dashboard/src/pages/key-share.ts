/** Sets for whom a key enforces its verdicts, and offers to take that back. */
import { useQueryClient } from '@tanstack/react-query';
import type { KeyRow } from '../../../src/contract/dashboard-account.ts';
import { send, useSend, withQuery } from '../api.ts';
import { useScope } from '../scope.ts';
import { useUndoToast } from '../ui/undo-toast.tsx';

export type SharedKey = Pick<KeyRow, 'id' | 'name' | 'enforced_share' | 'version'>;

/** Percent of people. */
export interface KeyShareBody {
  readonly enforced_share: number;
}

/** @param begun version that the person decided on; default: that of the first rendering */
export function useSetShare({ id, name, enforced_share: before, version }: SharedKey, begun?: string) {
  const { api } = useScope();
  const client = useQueryClient();
  const toast = useUndoToast();
  const path = api(`keys/${id}`);
  const refreshes = [api('keys'), api('shadow'), api('policy'), api('today')];
  const offerUndo = (saved: KeyRow) =>
    toast({
      text: doneWords(name, saved.enforced_share),
      async undo() {
        await send('PATCH', withQuery(path, { version: saved.version }), { enforced_share: before });
        await client.invalidateQueries({
          predicate: ({ queryKey: [key] }) => refreshes.some((prefix) => String(key).startsWith(prefix)),
        });
      },
    });
  return useSend<KeyRow, KeyShareBody>('PATCH', path, { refreshes, version, begun, onSaved: offerUndo });
}

function doneWords(name: string, share: number): string {
  if (share === 0) return `“${name}” only observes again.`;
  return share === 100 ? `“${name}” enforces for everybody.` : `“${name}” enforces for ${share}% of people.`;
}
