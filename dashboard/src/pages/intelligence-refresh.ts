/** Starts a fetch of sources, waits until the service is done, and shows the result. */
import { useState } from 'react';
import type { Intelligence, SourceRow } from '../../../src/contract/dashboard-installation.ts';
import { type ApiProblem, useSend } from '../api.ts';

export interface Refresh {
  readonly running: boolean;
  readonly error: ApiProblem | null;
  /** `ids` undefined: all that are on. */
  start(before: Intelligence, ids: readonly string[] | undefined): void;
  /** The progress, then the result. */
  readonly said: string | undefined;
  /** Call it with each answer. */
  update(now: Intelligence | undefined): void;
}

interface RefreshStart {
  readonly before: Intelligence;
  readonly ids: readonly string[];
}

export function useRefresh(): Refresh {
  const [started, setStarted] = useState<RefreshStart>();
  const [said, setSaid] = useState<string>();
  const ask = useSend<Intelligence, { ids?: readonly string[] }>('POST', '/intelligence/refresh', {
    refreshes: ['/intelligence'],
  });
  const running = started !== undefined;
  return {
    running,
    error: ask.error,
    start(before, ids) {
      const on = before.sources
        .filter(({ state }) => state !== 'off' && state !== 'bundled')
        .map(({ id }) => id);
      setSaid(undefined);
      setStarted({ before, ids: ids ?? on });
      ask.mutate(ids === undefined ? {} : { ids }, { onError: () => setStarted(undefined) });
    },
    said: started === undefined ? said : goingOn(started),
    update(now) {
      if (started === undefined || now === undefined || !ask.isSuccess) return;
      if (now.refreshing || now === started.before) return;
      setSaid(outcomeOf(started, now));
      setStarted(undefined);
    },
  };
}

function goingOn({ ids }: RefreshStart): string {
  return ids.length === 1
    ? `Fetching ${ids[0]}…`
    : `Fetching ${ids.length} sources. This can take some minutes.`;
}

/** `3 of 24 sources changed, 1 was refused.` */
function outcomeOf({ before, ids }: RefreshStart, now: Intelligence): string {
  const earlier = new Map(before.sources.map((source) => [source.id, source]));
  const fetched = now.sources.filter(({ id }) => ids.includes(id));
  const changed = fetched.filter((source) => earlier.get(source.id)?.version !== source.version).length;
  const of = (state: SourceRow['state']) => fetched.filter((source) => source.state === state).length;
  const parts = [
    ids.length === 1
      ? `${ids[0]} ${changed === 1 ? 'has a new version' : 'did not change'}`
      : `${changed} of ${ids.length} sources changed`,
    ...(of('waiting') > 0 ? [`${of('waiting')} waiting for you`] : []),
    ...(of('refused') > 0 ? [`${of('refused')} rejected`] : []),
    ...(of('failed') > 0 ? [`${of('failed')} could not be fetched`] : []),
  ];
  return `${parts.join(', ')}.`;
}
