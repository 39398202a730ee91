/** How many signups came with each key in the period, and how many of them were blocked: both lead to their rows. */
import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { KeyRow } from '../../../src/contract/dashboard-account.ts';
import type { SignupGroup, SignupGroups } from '../../../src/contract/dashboard-signup-counts.ts';
import type { KeyMode } from '../../../src/model/key-mode.ts';
import { useGet, withQuery } from '../api.ts';
import { useScope } from '../scope.ts';
import type { Column } from '../ui/data-table.tsx';
import { grouped, percent } from '../ui/format.ts';

export interface KeyCounts {
  readonly columns: readonly Column<KeyRow>[];
  /** Both in one line, for narrow windows without the columns. */
  line(row: KeyRow): ReactNode;
}

/** Counts of these keys. @param rows `undefined` while they load */
export function useKeyCounts(mode: KeyMode, rows: readonly KeyRow[] | undefined): KeyCounts {
  const { api, period } = useScope();
  const key = rows?.map(({ id }) => id).join(',') ?? '';
  // Only these: keys that are gone would take the places of groups.
  const query = { mode, period, key, by: 'key' };
  const { data: counted, isLoading } = useGet<SignupGroups>(
    key === '' ? null : withQuery(api('assessments/groups'), query),
  );
  const columns: KeyCounts['columns'] = [
    {
      id: 'signups',
      head: 'Signups',
      width: 96,
      align: 'right',
      from: 'sm',
      cell: (row) => <Volume apiKey={row} counted={counted} isLoading={isLoading} />,
    },
    {
      id: 'blocked',
      head: 'Blocked',
      width: 88,
      align: 'right',
      from: 'sm',
      cell: (row) => <BlockRate apiKey={row} counted={counted} isLoading={isLoading} />,
    },
  ];
  return {
    columns,
    line: (row) => (
      <>
        <Volume apiKey={row} counted={counted} isLoading={isLoading} /> signups,{' '}
        <BlockRate apiKey={row} counted={counted} isLoading={isLoading} /> blocked
      </>
    ),
  };
}

interface CellProps {
  readonly apiKey: KeyRow;
  /** `undefined` while it loads, and where it failed. */
  readonly counted: SignupGroups | undefined;
  readonly isLoading: boolean;
}

/** Dash in the place of a figure that is not there. */
function NoFigure({ isLoading }: Pick<CellProps, 'isLoading'>) {
  if (isLoading) return <Skeleton height={10} width={28} display="inline-block" />;
  return <span className="gh-faint">–</span>;
}

function groupOf({
  apiKey,
  counted,
}: Omit<CellProps, 'isLoading'>): Pick<SignupGroup, 'total' | 'block' | 'observed'> | undefined {
  const found = counted?.groups.find(({ value }) => value === apiKey.id);
  if (found !== undefined || counted === undefined || counted.others !== null) return found;
  return { total: 0, block: 0, observed: { challenge: 0, block: 0 } };
}

function Volume({ apiKey, counted, isLoading }: CellProps) {
  const { page, period } = useScope();
  const total = groupOf({ apiKey, counted })?.total;
  if (total === undefined) return <NoFigure isLoading={isLoading} />;
  const more = counted?.counted_from === null ? '' : '+';
  return (
    <Link href={page('assessments', { mode: modeOf(apiKey), period, key: apiKey.id })}>
      {grouped(total)}
      {more}
      <span className="gh-hidden"> signups with {apiKey.name}</span>
    </Link>
  );
}

function BlockRate({ apiKey, counted, isLoading }: CellProps) {
  const { page, period } = useScope();
  const group = groupOf({ apiKey, counted });
  if (group === undefined || group.total === 0) return <NoFigure isLoading={isLoading} />;
  // Signups that a key in shadow mode would have blocked count, too.
  const { shadow } = apiKey;
  const blocked = shadow ? group.block + group.observed.block : group.block;
  const filter = { verdict: 'block', shadow: shadow ? undefined : 'false', key: apiKey.id };
  return (
    <Link href={page('assessments', { mode: modeOf(apiKey), period, ...filter })}>
      {percent(blocked, group.total)}
      <span className="gh-hidden">
        {' '}
        of its signups: {grouped(blocked)}
        {group.block < blocked ? ' blocked, or would have been,' : ' blocked'} with {apiKey.name}
      </span>
    </Link>
  );
}

const modeOf = ({ mode }: KeyRow) => (mode === 'test' ? mode : undefined);
