/** Forgets a mail host, or decides that it is never flagged, after a dialog that names the consequences. */
import type { MailHostReport } from '../../../src/contract/dashboard-installation.ts';
import { useSend } from '../api.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useSending } from '../ui/use-sending.ts';

interface DialogProps {
  readonly report: MailHostReport;
  onClose(): void;
}

const REFRESHES = { refreshes: ['/intelligence/host', '/operator/audit'] };

export function ForgetHost({ report, onClose }: DialogProps) {
  const { host, remembered_as, listed, ordinary, addresses } = report;
  const forget = useSend<MailHostReport, { host: string }>('POST', '/intelligence/host/forget', REFRESHES);
  const { send, close } = useSending(forget, onClose);
  return (
    <ConfirmDialog
      opened
      title={`Forget ${remembered_as}?`}
      verb="Forget host"
      danger
      busy={forget.isPending}
      error={forget.error}
      onConfirm={() => send({ host }, onClose)}
      onClose={close}
    >
      <p>
        Deletes the data about {remembered_as}
        {addresses.length > 0 && ` and its ${addresses.length === 1 ? 'address' : 'addresses'}`}: {listed}{' '}
        listed and {ordinary} ordinary domains. Every account and every node starts from zero within a second.
        This cannot be undone.
      </p>
      <p>Past verdicts do not change. New signups are counted from zero.</p>
    </ConfirmDialog>
  );
}

export function NeverFlagHost({ report, onClose }: DialogProps) {
  const { host, remembered_as, decision } = report;
  const on = decision?.never_flag !== true;
  const decide = useSend<MailHostReport, { host: string; never_flag: boolean }>(
    'POST',
    '/intelligence/host/never-flag',
    REFRESHES,
  );
  const { send, close } = useSending(decide, onClose);
  return (
    <ConfirmDialog
      opened
      title={on ? `Never flag ${remembered_as}?` : `Allow flagging ${remembered_as} again?`}
      verb={on ? 'Never flag' : 'Allow flagging'}
      busy={decide.isPending}
      error={decide.error}
      onConfirm={() => send({ host, never_flag: on }, onClose)}
      onClose={close}
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
    </ConfirmDialog>
  );
}
