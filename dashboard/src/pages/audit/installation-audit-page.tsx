/** What operators changed of the installation itself: feeds, and who signed in as operator. */
import { useSession } from '../../api.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { OperatorTabs } from '../operator/operator-tabs.tsx';
import { OperatorsOnly } from '../operator/operators-only.tsx';
import { AuditLog } from './audit-page.tsx';

export function InstallationAuditPage() {
  if (useSession().data?.user.operator !== true) return <OperatorsOnly title="Audit log" />;
  return (
    <>
      <PageHeader title="Audit log">
        What operators did that belongs to no account: signing in, refreshing and rolling back feeds.
      </PageHeader>
      <OperatorTabs />
      <AuditLog path="/operator/audit">Refreshed feeds and sign-ins of operators will stand here.</AuditLog>
    </>
  );
}
