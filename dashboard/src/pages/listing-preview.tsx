/** Shows what an entry would have matched in the last 30 days, before it is made: counts, reports, examples. */
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ListEntryRow, ListPreview } from '../../../src/contract/dashboard-account.ts';
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';
import { type ApiProblem, send } from '../api.ts';
import { useScope } from '../scope.ts';
import { DomainText } from '../ui/domain-text.tsx';
import { grouped, pluralize } from '../ui/format.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { ReportedEffect } from '../ui/reported-effect.tsx';
import { useTimes } from '../ui/use-times.ts';
import { VerdictBadge } from '../ui/verdict-badge.tsx';
import { observedOf, signupsOf } from '../ui/verdicts.ts';
import { isTemporary } from '../ui/waiting.ts';
import { RetryCountdown, waitingWords } from '../ui/waiting-state.tsx';
import styles from './listing-add-entry.module.css';
import { Contradictions } from './listing-contradictions.tsx';
import { OfficeEffect } from './listing-office-effect.tsx';

/** Long enough that a value is not counted letter by letter. */
const TYPING_MS = 350;

interface EntryPreviewProps {
  readonly action: ListEntryRow['action'];
  readonly value: string;
  /** An address means this spelling alone. */
  readonly exact: boolean;
}

export function EntryPreview({ action, value, exact }: EntryPreviewProps) {
  const { api } = useScope();
  const [settled] = useDebouncedValue(value.trim(), TYPING_MS);
  const path = api('lists/preview');
  const preview = useQuery<ListPreview, ApiProblem>({
    queryKey: previewKey(path, { action, value: settled, exact }),
    queryFn: ({ signal }) => send<ListPreview>('POST', path, { action, value: settled, exact }, signal),
    enabled: settled !== '',
    staleTime: 60_000,
  });
  const late = settled !== value.trim() || preview.isFetching;
  return (
    <section
      className={styles.preview}
      aria-label="Signups that it matches"
      aria-live="polite"
      aria-busy={late}
    >
      {late && isTemporary(preview.failureReason) ? (
        <p className="gh-dim">
          {waitingWords(preview.failureReason)} <RetryCountdown error={preview.failureReason} />
        </p>
      ) : late ? (
        <p className="gh-dim">Counting the signups of the last 30 days that it matches…</p>
      ) : preview.data === undefined ? (
        <p className="gh-dim">
          {preview.error?.param === 'value' ? '' : 'Could not count the signups that it matches: '}
          {preview.error?.message}
        </p>
      ) : (
        <>
          <Contradictions preview={preview.data} />
          <Matched preview={preview.data} />
        </>
      )}
    </section>
  );
}

/** Key of a draft's preview among what the page has fetched. @param path of previews in the API */
export function previewKey(path: string, { action, value, exact }: EntryPreviewProps): readonly unknown[] {
  return [path, action, value.trim(), exact];
}

function Matched({ preview }: { preview: ListPreview }) {
  const { matched, overruled, counted_from: from, only_below: below, samples } = preview;
  const total = signupsOf(matched);
  // Contradicting entries are named above.
  const alike = overruled - contradicted(preview);
  const times = useTimes();
  const atLeast = from === null ? '' : 'at least ';
  return (
    <>
      {total === 0 ? (
        <p>
          {from === null
            ? 'It matches no signup of the last 30 days.'
            : 'It matches none of the signups that were counted.'}
        </p>
      ) : (
        <p>
          In the last 30 days it matches {atLeast}
          <strong>{pluralize(total, 'signup')}</strong>,{' '}
          <strong>{grouped(matched.allow)} of them allowed</strong>
          {stopped(matched)}.
        </p>
      )}
      {preview.office !== null && <OfficeEffect office={preview.office} value={preview.value} />}
      <Reported {...preview} />
      {alike > 0 && (
        <p>
          Another entry of the same list still decides {total === 1 ? 'it' : `${grouped(alike)} of them`}.
        </p>
      )}
      {from !== null && (
        <p className="gh-dim">
          There are too many to count all:{' '}
          {below ? `domains below ${preview.value} were counted only since` : 'only signups since'}{' '}
          {times.moment(from, Date.now())}
          {below ? '.' : ' were counted.'}
        </p>
      )}
      {samples.length > 0 && (
        <ul className={styles.samples} aria-label="Examples">
          {samples.map((row) => (
            <Sample key={row.request_id} row={row} />
          ))}
        </ul>
      )}
    </>
  );
}

/** Number of those that an entry of the other list still decides. */
function contradicted({ conflicts }: ListPreview): number {
  return conflicts.reduce((sum, { winner, signups }) => sum + (winner === 'existing' ? signups : 0), 0);
}

function stopped({ challenge, block, observed }: ListPreview['matched']): string {
  const onlyObserved = observedOf({ observed });
  return [
    challenge === 0 ? '' : `, ${grouped(challenge)} challenged`,
    block === 0 ? '' : `, ${grouped(block)} blocked`,
    onlyObserved === 0 ? '' : `, ${grouped(onlyObserved)} let in by keys that only observe`,
  ].join('');
}

function Reported({ labelled, effect }: Pick<ListPreview, 'labelled' | 'effect'>) {
  const { good, fraud } = labelled;
  if (good + fraud === 0) return null;
  return (
    <>
      <p>
        People reported {grouped(good)} of them as good customers and {grouped(fraud)} as fraud.
      </p>
      <ReportedEffect effect={effect} labelled={labelled} />
    </>
  );
}

/** Link to a signup in a new tab, so that the typed text is not lost. */
function Sample({ row }: { row: AssessmentRow }) {
  const { page } = useScope();
  return (
    <li>
      <VerdictBadge verdict={row.verdict} observed={row.shadow} />
      <a href={page(`assessments/${row.request_id}`)} target="_blank" rel="noreferrer" title={row.email}>
        <DomainText text={row.email} />
      </a>
      <RelativeTime at={row.at} />
    </li>
  );
}
