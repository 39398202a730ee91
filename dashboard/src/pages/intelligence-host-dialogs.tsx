/** Forgets a mail host, or decides that it is never flagged, after a dialog that names the consequences. */
import type { VersionedMailHostReport } from '../../../src/contract/dashboard-installation.ts';
import { useSend } from '../api.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';

interface DialogProps {
  readonly report: VersionedMailHostReport;
  onClose(): void;
}

const REFRESHES = { refreshes: ['/intelligence/host', '/operator/audit'] };

export function ForgetHost({ report, onClose }: DialogProps) {
  const { host, remembered_as, listed, ordinary, addresses } = report;
  const forget = useSend<unknown, { host: string }>('POST', '/intelligence/host/forget', {
    ...REFRESHES,
    version: report.version,
  });
  return (
    <ChangeDialog
      change={forget}
      body={{ host }}
      title={`Forget ${remembered_as}?`}
      verb="Forget host"
      danger
      onClose={onClose}
    >
      <p>
        Deletes the data about {remembered_as}
        {addresses.length > 0 && ` and its ${addresses.length === 1 ? 'address' : 'addresses'}`}: {listed}{' '}
        listed and {ordinary} ordinary domains. Every account and every node starts from zero within a second.
        This cannot be undone.
      </p>
      <p>Past verdicts do not change. New signups are counted from zero.</p>
    </ChangeDialog>
  );
}

export function NeverFlagHost({ report, onClose }: DialogProps) {
  const { host, remembered_as, decision } = report;
  const on = decision?.never_flag !== true;
  const decide = useSend<unknown, { host: string; never_flag: boolean }>(
    'POST',
    '/intelligence/host/never-flag',
    { ...REFRESHES, version: report.version },
  );
  return (
    <ChangeDialog
      change={decide}
      body={{ host, never_flag: on }}
      title={on ? `Never flag ${remembered_as}?` : `Allow flagging ${remembered_as} again?`}
      verb={on ? 'Never flag' : 'Allow flagging'}
      onClose={onClose}
    >
      {on ? (
        <>
          <p>
            Domains whose mail goes to {remembered_as} or its addresses are no longer challenged because of
            it, in any account. This takes a second. Listed domains are still blocked.
          </p>
          <p>Gatehouse collects no more data about the host until you allow flagging again.</p>
        </>
      ) : (
        <p>
          {remembered_as} is judged by its data again, in every account, within a second. It may be flagged
          again immediately.
        </p>
      )}
    </ChangeDialog>
  );
}
