/** Changes of the installation itself by operators and the command line: feeds, links, and operators' sign-ins. */
import { PageHeader } from '../ui/page-header.tsx';
import { AuditLog } from './audit-page.tsx';
import { OperatorTabs } from './operator-tabs.tsx';

export function InstallationAuditPage() {
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
