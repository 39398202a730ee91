/** Customers whom colleagues ask to let in: who asked, when, for which signup, and whether it is done. */
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { CustomerRequest, CustomerRequests } from '../../../src/contract/dashboard-customer.ts';
import { useGet } from '../api.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { MeanwhileDialog } from '../ui/meanwhile-dialog.tsx';
import { meanwhileOf } from '../ui/meanwhile-note.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { VerdictBadge } from '../ui/verdict-badge.tsx';
import { useRealCustomer } from './assessment-label.ts';
import styles from './feedback-page.module.css';

const DAYS = 30;

export function Requests() {
  const { api } = useScope();
  const { data } = useGet<CustomerRequests>(api('requests'));
  if (data === undefined || data.requests.length === 0) return null;
  const open = data.requests.filter(({ done }) => done === null).length;
  return (
    <Card
      title="Requests"
      note={open === 0 ? 'all done' : open === 1 ? '1 is open' : `${open} are open`}
      flush
    >
      <ul className={styles.requests}>
        {data.requests.map((request) => (
          <RequestRow key={request.request_id} request={request} />
        ))}
      </ul>
    </Card>
  );
}

function RequestRow({ request }: { request: CustomerRequest }) {
  const { page, canList } = useScope();
  const { request_id, email, verdict, at, asked_by, asked_at, done, label, version } = request;
  // The report stays that of the colleague.
  const letIn = useRealCustomer({ request_id, feedback: label, version });
  const send = () =>
    letIn.mutate({ report: false, mailbox: true, days: DAYS, reason: `Asked by ${asked_by}` });
  return (
    <li className={styles.request} data-done={done !== null || undefined}>
      <div>
        <Link href={page(`assessments/${request_id}`)} className="gh-mono">
          {email}
        </Link>{' '}
        <VerdictBadge verdict={verdict} /> <RelativeTime at={at} />
        <p className="gh-dim">
          {asked_by} asked <RelativeTime at={asked_at} />
          {done !== null && (
            <>
              {' · '}done by {done.by}
              {done.until !== null && (
                <>
                  , until <RelativeTime at={done.until} />
                </>
              )}
            </>
          )}
        </p>
        {meanwhileOf(letIn.error) === undefined && <ProblemNote error={letIn.error} />}
      </div>
      {done !== null ? (
        <span className="gh-dim">Done</span>
      ) : (
        canList && (
          <Button size="xs" loading={letIn.isPending} onClick={send} aria-label={`Let ${email} in`}>
            Let in for {DAYS} days
          </Button>
        )
      )}
      <MeanwhileDialog
        error={letIn.error}
        title={`Let ${email} in?`}
        verb="Let in"
        onSave={send}
        onYield={letIn.reset}
      />
    </li>
  );
}
