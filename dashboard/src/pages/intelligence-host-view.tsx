/** Observations at one mail host, and the buttons that correct it. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { VersionedMailHostReport } from '../../../src/contract/dashboard-installation.ts';
import { describeForgotten, MAIL_HOST_STATES } from '../../../src/contract/mail-host-words.ts';
import { Fact } from '../ui/fact.tsx';
import { NumberText } from '../ui/number-text.tsx';
import { personName } from '../ui/person-name.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { ForgetHost, NeverFlagHost } from './intelligence-host-dialogs.tsx';
import { HostSignups } from './intelligence-host-signups.tsx';
import styles from './intelligence-page.module.css';

export function HostView({ report }: { report: VersionedMailHostReport }) {
  const [asking, setAsking] = useState<'forget' | 'never' | undefined>();
  const { state, listed, ordinary, accounts, first_seen, last_seen, addresses, decision, hosts } = report;
  const byName = state === 'shared' || state === 'relay';
  return (
    <div className={styles.claims}>
      <p className={styles.said}>{report.summary}</p>
      {!byName && (
        <dl className={styles.facts}>
          <Fact name="Listed domains">
            <NumberText value={listed} />
            <Names names={report.listed_domains} all={listed} />
          </Fact>
          <Fact name="Ordinary domains">
            <NumberText value={ordinary} />
            <Names names={report.ordinary_domains} all={ordinary} />
          </Fact>
          <Fact name="Accounts">
            {accounts === 0 ? 'none' : `Seen by ${accounts} ${accounts === 1 ? 'account' : 'accounts'}`}
            {report.flagged_for > 0 && state === 'flagged_for_some' && (
              <span className={styles.means}>flagged for {report.flagged_for} of them</span>
            )}
          </Fact>
          {first_seen !== null && last_seen !== null && (
            <Fact name="Seen">
              first <RelativeTime at={first_seen} />, last <RelativeTime at={last_seen} />
            </Fact>
          )}
          <HostSignups hosts={hosts.length > 0 ? hosts : [report.host]} />
          {hosts.length > 0 && <Fact name="Hosts">{hosts.join(', ')}</Fact>}
          {addresses.length > 0 && (
            <Fact name="Addresses">
              {addresses.map((host) => (
                <span key={host.address} className={styles.means}>
                  <span className="gh-mono">{host.address}</span>: {MAIL_HOST_STATES[host.state]},{' '}
                  {host.listed} listed, {host.ordinary} ordinary
                </span>
              ))}
            </Fact>
          )}
          {decision !== null && (
            <Fact name="Last decision">
              {personName(decision.by)}, <RelativeTime at={decision.at} />
              <span className={styles.means}>
                {decision.never_flag ? 'never flag' : 'may be flagged'}
                {decision.forgotten > 0 && `, ${describeForgotten(decision.forgotten)}`}
              </span>
            </Fact>
          )}
        </dl>
      )}
      {!byName && (
        <div className={styles.actions}>
          <Button variant="default" disabled={accounts === 0} onClick={() => setAsking('forget')}>
            Forget…
          </Button>
          <Button variant="default" onClick={() => setAsking('never')}>
            {decision?.never_flag === true ? 'Allow flagging again…' : 'Never flag this host…'}
          </Button>
        </div>
      )}
      {asking === 'forget' && <ForgetHost report={report} onClose={() => setAsking(undefined)} />}
      {asking === 'never' && <NeverFlagHost report={report} onClose={() => setAsking(undefined)} />}
    </div>
  );
}

function Names({ names, all }: { names: readonly string[]; all: number }) {
  if (names.length === 0) return null;
  const more = all > names.length ? ` and ${all - names.length} more` : '';
  return (
    <span className={styles.means}>
      {names.join(', ')}
      {more}
    </span>
  );
}
