/** The sources in two tables: those fetched from their publishers, and those that come with the release. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSearch } from 'wouter';
import type { Intelligence, SourceRow } from '../../../src/contract/dashboard-installation.ts';
import { linkTo } from '../pages.ts';
import { Card } from '../ui/card.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { BUNDLED_COLUMNS, FEED_COLUMNS } from './intelligence-source-columns.tsx';
import { SOURCE_STATES } from './intelligence-source-states.ts';

export interface SourceTablesProps {
  readonly intelligence: Intelligence | undefined;
  readonly selected: string | undefined;
}

export function SourceTables({ intelligence, selected }: SourceTablesProps) {
  // The checked value stays on the page.
  const search = useSearch();
  const sources = intelligence?.sources;
  const [all, setAll] = useState(false);
  const feeds = sources?.filter(({ state }) => state !== 'bundled').sort(byCare);
  const off = feeds?.filter(({ state, id }) => state === 'off' && id !== selected).length ?? 0;
  const folded = !all && off > 0 && off < (feeds?.length ?? 0);
  const table = {
    rowKey: ({ id }: SourceRow) => id,
    href: ({ id }: SourceRow) => `${linkTo(`/intelligence/${id}`)}${search === '' ? '' : `?${search}`}`,
    selected,
  };
  return (
    <>
      <Card
        title="Feeds"
        note={
          intelligence === undefined || intelligence.fetching
            ? 'fetched from their publishers'
            : 'not fetched here: GATEHOUSE_FEEDS is off'
        }
        flush
      >
        <DataTable
          label="Feeds"
          columns={FEED_COLUMNS}
          rows={folded ? feeds?.filter(({ state, id }) => state !== 'off' || id === selected) : feeds}
          empty={
            <EmptyState title="No feeds">
              Only bundled sources are used. Set GATEHOUSE_FEEDS=on to fetch feeds, or import them with{' '}
              <code>gatehouse intel import</code>.
            </EmptyState>
          }
          {...table}
        />
        {off > 0 && off < (feeds?.length ?? 0) && (
          <Button variant="subtle" m={8} onClick={() => setAll(!all)}>
            {all ? 'Hide disabled feeds' : `${off} disabled`}
          </Button>
        )}
      </Card>
      <Card title="Bundled" note="come with this release of Gatehouse" flush>
        <DataTable
          label="Bundled sources"
          columns={BUNDLED_COLUMNS}
          rows={sources?.filter(({ state }) => state === 'bundled')}
          quiet
          {...table}
        />
      </Card>
    </>
  );
}

/** Sources that need attention first, disabled ones last. */
function byCare(a: SourceRow, b: SourceRow): number {
  const rank = ({ state }: SourceRow) => (SOURCE_STATES[state].care ? 0 : state === 'off' ? 2 : 1);
  return rank(a) - rank(b) || a.id.localeCompare(b.id);
}
