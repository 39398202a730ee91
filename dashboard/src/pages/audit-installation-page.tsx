/** What was changed of the installation itself, by operators and by the command line: feeds, links, and operators' sign-ins. */
import { useSession } from '../api.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { AuditLog } from './audit-page.tsx';
import { OperatorsOnly } from './operator-only.tsx';
import { OperatorTabs } from './operator-tabs.tsx';

export function InstallationAuditPage() {
  if (useSession().data?.user.operator !== true) return <OperatorsOnly title="Audit log" />;
  return (
    <>
      <PageHeader title="Audit log">
        Actions of operators and the command line that belong to no account: sign-ins, setup links, feeds,
        mail hosts.
      </PageHeader>
      <OperatorTabs />
      <AuditLog path="/operator/audit">
        Sign-ins of operators, setup links and feed refreshes appear here.
      </AuditLog>
    </>
  );
}
