/** Other signups that share something with this one, a tab each. */
import { Button, Skeleton, Tabs } from '@mantine/core';
import { Link } from 'wouter';
import type { AssessmentRow, RelatedGroup } from '../../../src/contract/dashboard-assessments.ts';
import { useGet } from '../api.ts';
import { useScope } from '../scope.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { AT_COLUMN, EMAIL_COLUMN, SCORE_COLUMN, VERDICT_COLUMN } from '../ui/signup-columns.tsx';
import { shownError } from '../ui/waiting.ts';
import styles from './assessment-view.module.css';

const RELATIONS: Readonly<Record<RelatedGroup['relation'], string>> = {
  ip: 'IP',
  mailbox: 'Mailbox',
  domain: 'Domain',
  session: 'Session',
};

/** The filter that shows all of a group in the history; a mailbox is known by its hash only. */
const FILTER_OF: Readonly<Partial<Record<RelatedGroup['relation'], string>>> = {
  ip: 'ip',
  domain: 'domain',
  session: 'session_id',
};

export function RelatedSignups({ requestId }: { requestId: string }) {
  const { api } = useScope();
  const groups = useGet<readonly RelatedGroup[]>(api(`assessments/${requestId}/neighbours`));
  const error = shownError(groups);
  if (groups.data === undefined)
    return error === null ? (
      <Skeleton animate={false} height={132} />
    ) : (
      <ErrorState error={error} onRetry={() => void groups.refetch()} />
    );
  const shown = groups.data.filter(({ rows }) => rows.length > 0);
  const first = shown[0];
  if (first === undefined)
    return <p className="gh-dim">No other signup has the same IP, mailbox, domain or session.</p>;
  return (
    <Tabs defaultValue={first.relation} keepMounted={false}>
      <Tabs.List>
        {shown.map(({ relation, rows, more }) => (
          <Tabs.Tab key={relation} value={relation}>
            {RELATIONS[relation]}{' '}
            <span className="gh-faint">
              {rows.length}
              {more && '+'}
            </span>
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {shown.map((group) => (
        <Tabs.Panel key={group.relation} value={group.relation}>
          <Group group={group} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function Group({ group }: { group: RelatedGroup }) {
  const { page } = useScope();
  const { relation, shared, rows, more } = group;
  const filter = FILTER_OF[relation];
  return (
    <>
      <p className={styles.shared}>
        Same {RELATIONS[relation] === 'IP' ? 'IP' : RELATIONS[relation].toLowerCase()}:{' '}
        <span className="gh-mono">{shared}</span>
      </p>
      <DataTable
        label={`Same ${RELATIONS[relation]}`}
        columns={COLUMNS}
        rows={rows}
        rowKey={({ request_id }) => request_id}
        href={({ request_id }) => page(`assessments/${request_id}`)}
        quiet
      />
      {more && filter !== undefined && (
        <Button
          component={Link}
          href={page('assessments', { [filter]: shared, period: undefined })}
          variant="subtle"
          size="compact-sm"
          mt="xs"
        >
          Show all in Signups
        </Button>
      )}
    </>
  );
}

const COLUMNS: readonly Column<AssessmentRow>[] = [VERDICT_COLUMN, SCORE_COLUMN, EMAIL_COLUMN, AT_COLUMN];
