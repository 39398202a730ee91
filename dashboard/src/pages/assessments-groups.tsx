/** The signups of the filter, grouped by a property: the largest groups as bars, each of which becomes a part of the filter. */
import { ActionIcon, NativeSelect, Skeleton } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useSearch } from 'wouter';
import type { AssessmentFilter } from '../../../src/contract/dashboard-assessments.ts';
import {
  type FilterMembers,
  GROUPINGS,
  type Grouping,
  type SignupGroup,
  type SignupSplit,
} from '../../../src/contract/dashboard-signup-counts.ts';
import { formatFilterValues, parseFilterValues } from '../../../src/contract/filter-values.ts';
import { useSetQuery } from '../scope.ts';
import { answerLayers } from '../ui/answer-layers.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { countryName, grouped, percent, pluralize } from '../ui/format.ts';
import { Hint } from '../ui/hint.tsx';
import { IconCircleOff, IconX } from '../ui/icons.ts';
import { isTyping } from '../ui/is-typing.ts';
import { useNow } from '../ui/use-now.ts';
import { useTimes } from '../ui/use-times.ts';
import styles from './assessments-counts.module.css';
import { useGroups } from './assessments-counts.ts';
import type { FilterChanges } from './assessments-filter.ts';

const GROUPING_WORDS: Readonly<Record<Grouping, string>> = {
  range: 'IP range',
  network: 'Network',
  domain: 'Email domain',
  finding: 'Main finding',
  mailbox: 'Mailbox',
  mail_host: 'Mail host',
  session: 'Session',
  country: 'Country',
  key: 'Key',
  hour: 'Hour',
};
const CHOICES = [
  { value: '', label: 'Group by…' },
  ...GROUPINGS.map((value) => ({ value, label: `By ${lowerFirst(GROUPING_WORDS[value])}` })),
];
const HOUR_MS = 3_600_000;

/** The grouping in the URL, and how to set it. */
function useGrouping(): [Grouping | undefined, (by: Grouping | undefined) => void] {
  const search = new URLSearchParams(useSearch());
  const setQuery = useSetQuery();
  const by = GROUPINGS.find((grouping) => grouping === search.get('by'));
  return [by, (next) => setQuery({ by: next })];
}

/** Chooses the grouping; the key b does the same. */
export function GroupingSelect() {
  const [by, setBy] = useGrouping();
  const select = useRef<HTMLSelectElement>(null);
  const latest = useRef({ by, setBy });
  latest.current = { by, setBy };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'b' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      if (latest.current.by === undefined) latest.current.setBy('range');
      // The letter would choose an option, too.
      event.preventDefault();
      select.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <NativeSelect
      ref={select}
      size="xs"
      aria-label="Group by"
      data={CHOICES}
      value={by ?? ''}
      onChange={({ currentTarget: { value } }) => setBy(GROUPINGS.find((grouping) => grouping === value))}
    />
  );
}

export interface GroupsProps {
  readonly filter: AssessmentFilter;
  onFilter(changes: FilterChanges): void;
}

/** Nothing, unless a grouping is chosen. */
export function Groups({ filter, onFilter }: GroupsProps) {
  const times = useTimes();
  const now = useNow();
  const [by, setBy] = useGrouping();
  const { data, error, isPlaceholderData, refetch } = useGroups(filter, by);
  if (by === undefined) return null;
  const counts = data?.by === by ? data : undefined;
  const choose = (members: FilterMembers) => onFilter({ ...members, by: undefined } as FilterChanges);
  return (
    <section className={styles.groups} aria-label={`Signups by ${lowerFirst(GROUPING_WORDS[by])}`}>
      <header>
        <h2>
          {GROUPING_WORDS[by]}
          {counts !== undefined && <span className={styles.count}>{countWords(counts)}</span>}
        </h2>
        <Hint label="Close">
          <ActionIcon variant="subtle" aria-label="Close the groups" onClick={() => setBy(undefined)}>
            <IconX size={16} />
          </ActionIcon>
        </Hint>
      </header>
      {counts === undefined ? (
        error === null ? (
          <Skeleton height={180} radius={6} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <ol data-stale={isPlaceholderData || undefined}>
          {counts.groups.map((group) => (
            <GroupRow
              key={group.value ?? ''}
              label={labelOf(by, group, (from, to) => times.window(from, to, now))}
              split={group}
              all={counts.total}
              widest={counts.groups[0]?.total ?? 1}
              onChoose={() => choose(group.filter)}
              onExclude={excluder(filter, group, choose)}
            />
          ))}
          {counts.others !== null && (
            <GroupRow
              label={`${pluralize(counts.others.groups, 'other group')}`}
              split={counts.others}
              all={counts.total}
              widest={counts.groups[0]?.total ?? 1}
              onChoose={counts.others.filter === null ? undefined : () => choose(counts.others?.filter ?? {})}
            />
          )}
        </ol>
      )}
    </section>
  );
}

interface GroupRowProps {
  readonly label: string;
  readonly split: SignupSplit;
  readonly all: number;
  /** Count of the largest group. */
  readonly widest: number;
  readonly onChoose?: (() => void) | undefined;
  readonly onExclude?: (() => void) | undefined;
}

function GroupRow({ label, split, all, widest, onChoose, onExclude }: GroupRowProps) {
  const layers = answerLayers([split]);
  const words = layers
    .filter(({ countOf }) => countOf(split) > 0)
    .map(({ word, countOf }) => `${word} ${grouped(countOf(split))}`)
    .join(', ');
  return (
    <li>
      <button
        type="button"
        className={styles.group}
        disabled={onChoose === undefined}
        onClick={onChoose}
        title={`${label}: ${words}`}
      >
        <span className={styles.groupLabel}>{label}</span>
        <span className={styles.groupBar} aria-hidden>
          <span style={{ width: `${Math.max(0.5, Math.min(100, (100 * split.total) / widest))}%` }}>
            {layers.map(({ id, fill, hatched, opacity = 1, countOf }) => (
              <span
                key={id}
                data-hatched={hatched || undefined}
                style={{ flexGrow: countOf(split), color: fill, opacity }}
              />
            ))}
          </span>
        </span>
        <span className={styles.groupCount}>{grouped(split.total)}</span>
        <span className={styles.groupShare}>{percent(split.total, all)}</span>
        <span className="gh-hidden">{words}</span>
      </button>
      {onExclude !== undefined && (
        <Hint label="Leave these out">
          <ActionIcon variant="subtle" size="sm" aria-label={`Leave out ${label}`} onClick={onExclude}>
            <IconCircleOff size={14} />
          </ActionIcon>
        </Hint>
      )}
    </li>
  );
}

/** Leaves out a group whose filter is a list of values; an hour is none. */
function excluder(
  filter: AssessmentFilter,
  { filter: members, value }: SignupGroup,
  choose: (members: FilterMembers) => void,
): (() => void) | undefined {
  const [name] = Object.keys(members) as (keyof FilterMembers)[];
  if (name === undefined || name === 'from') return undefined;
  return () => {
    const { any, not } = parseFilterValues(filter[name] ?? '');
    const others = any.filter((other) => other !== value);
    // Without any value left, the filter would find everything.
    choose({
      [name]: formatFilterValues({ any: others, not: others.length < any.length ? not : [...not, value] }),
    });
  };
}

function labelOf(
  by: Grouping,
  { value, label }: SignupGroup,
  windowWords: (from: string, to: string) => string,
): string {
  if (value === null) return label;
  if (by === 'country') return countryName(value);
  if (by === 'hour') return windowWords(value, new Date(Date.parse(value) + HOUR_MS).toISOString());
  return label;
}

function countWords({
  groups,
  others,
  counted_from,
}: {
  groups: readonly unknown[];
  others: { groups: number } | null;
  counted_from: string | null;
}): string {
  const count = groups.length + (others?.groups ?? 0);
  return ` ${counted_from === null ? '' : 'at least '}${grouped(count)}`;
}

function lowerFirst(text: string): string {
  return text.startsWith('IP') ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
