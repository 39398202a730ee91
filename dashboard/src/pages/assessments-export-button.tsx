/** Exports the rows of the filter: checks first whether an export can begin, and waits if it cannot yet. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AssessmentFilter } from '../../../src/contract/dashboard-assessments.ts';
import { type ApiProblem, apiUrl, send, withQuery } from '../api.ts';
import { useScope } from '../scope.ts';
import { download } from '../ui/download.ts';
import { IconDownload } from '../ui/icons.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { isTemporary, shownError } from '../ui/waiting.ts';
import { RetryCountdown, waitingWords } from '../ui/waiting-state.tsx';
import styles from './assessments-page.module.css';

export interface Export {
  readonly href: string;
  readonly waiting: boolean;
  readonly error: ApiProblem | null;
  begin(): void;
  cancel(): void;
}

export function useExport(filter: AssessmentFilter): Export {
  const { api } = useScope();
  const [wanted, setWanted] = useState(false);
  const ready = withQuery(api('assessments.csv/ready'), { ...filter });
  const file = apiUrl(withQuery(api('assessments.csv'), { ...filter }));
  const query = useQuery<boolean, ApiProblem>({
    queryKey: [ready],
    queryFn: async ({ signal }) => {
      await send('GET', ready, undefined, signal);
      return true;
    },
    enabled: wanted,
    // An earlier answer may be outdated, so every export checks again.
    gcTime: 0,
    staleTime: 0,
  });
  const begins = wanted && query.isSuccess && !query.isFetching;
  useEffect(() => {
    if (!begins) return;
    setWanted(false);
    download(file);
  }, [begins, file]);
  const error = shownError(query);
  return {
    href: file,
    waiting: wanted && query.isFetching,
    error: wanted ? error : null,
    begin: () => (wanted ? void query.refetch() : setWanted(true)),
    cancel: () => setWanted(false),
  };
}

/** A link, so that people can copy it. */
export function ExportButton({ of: { href, waiting, begin } }: { of: Export }) {
  return (
    <Button
      component="a"
      href={href}
      download
      variant="default"
      size="xs"
      ml="auto"
      leftSection={<IconDownload size={14} />}
      aria-busy={waiting}
      onClick={(event) => {
        event.preventDefault();
        begin();
      }}
    >
      Export CSV
    </Button>
  );
}

/** Note under the button, while an export waits or after it was refused. */
export function ExportNote({ of: { error, cancel } }: { of: Export }) {
  if (error === null) return null;
  if (!isTemporary(error)) return <ProblemNote error={error} />;
  return (
    <div className={styles.exportNote} role="status">
      <span>
        The export is waiting. {waitingWords(error)} <RetryCountdown error={error} />
      </span>
      <Button variant="subtle" size="compact-sm" onClick={cancel}>
        Cancel export
      </Button>
    </div>
  );
}
