/** Every signal that was found, by group, in words. */
import type { ReactNode } from 'react';
import type { AssessmentDetail } from '../../../src/contract/dashboard-assessments.ts';
import type { Assessment } from '../../../src/contract/messages.ts';
import { DomainText } from '../ui/domain-text.tsx';
import { grouped } from '../ui/format.ts';
import styles from './assessment-view.module.css';

type Value = string | number | boolean;
type Rows = readonly (readonly [name: string, value: Value])[];

const MX_WORDS: Readonly<Record<Assessment['signals']['email']['mx_status'], string>> = {
  valid: 'takes mail',
  none: 'no usable mail exchange',
  null_mx: 'takes no mail (null MX)',
  no_domain: 'the domain does not exist',
  unknown: 'could not be checked',
};

const VICTIM_WORDS: Readonly<Record<Exclude<AssessmentDetail['victim'], ''>, string>> = {
  gateway: 'texts a phone',
  desk: 'desk for complaints',
  dots: 'Gmail with many dots',
};

const IP_WORDS: Readonly<Record<Assessment['ip_status'], string>> = {
  ok: '',
  missing: 'No IP was sent.',
  ignored_loopback: 'The IP sent was a loopback address.',
  ignored_private: 'The IP sent was a private address.',
  ignored_localhost: 'The IP sent was localhost.',
};

export function Signals({ detail }: { detail: AssessmentDetail }) {
  const { ip_status: ipStatus } = JSON.parse(detail.body) as Assessment;
  const { email, ip, velocity } = detail.signals;
  const age = email.domain_age_days;
  return (
    <div className={styles.groups}>
      <Group
        title="Email"
        rows={[
          ['Domain', email.domain],
          ...(email.did_you_mean === undefined ? [] : [['Probably meant', email.did_you_mean] as const]),
          ['Disposable', email.disposable],
          ['Relay', email.relay_domain],
          ['Spam reputation', email.spam_domain],
          ['Free mail', email.public_domain],
          ['Role account', email.role_account],
          ...(email.mail_unwanted === true ? [['Mail unwanted', true] as const] : []),
          ...(detail.victim === '' ? [] : [['Kind of address', VICTIM_WORDS[detail.victim]] as const]),
          ...(detail.norm === '' ? [] : [['Its people', detail.norm] as const]),
          ['Domain age', age < 0 ? 'unknown' : `${grouped(age)} ${age === 1 ? 'day' : 'days'}`],
          ['Mail', MX_WORDS[email.mx_status]],
          ...(detail.mx.hosts.length === 0 ? [] : [['Exchanges', detail.mx.hosts.join(', ')] as const]),
        ]}
      />
      <Group
        title="IP"
        rows={
          ip === undefined
            ? []
            : [
                ['Address', ip.address === '' ? 'no longer kept' : ip.address],
                ['Tor', ip.tor],
                ['VPN', ip.vpn],
                ['Proxy', ip.proxy],
                ['Privacy relay', ip.relay],
                ['Datacenter', ip.datacenter],
                ['Abuse score', `${ip.abuse_score} of 100`],
                ['Country', ip.country || 'unknown'],
                ['Network', ip.asn === 'AS0' ? 'unknown' : ip.asn],
              ]
        }
      >
        {ip === undefined && <p>{IP_WORDS[ipStatus]} Only the email address was scored.</p>}
      </Group>
      <Group
        title="Velocity"
        rows={[
          ['From this IP, 1 h', velocity.ip_signups_1h],
          ['From this IP, 24 h', velocity.ip_signups_24h],
          ['Of this domain, 1 h', velocity.email_domain_1h],
          ['Of this domain, 24 h', velocity.email_domain_24h],
        ]}
      />
    </div>
  );
}

function Group({ title, rows, children }: { title: string; rows: Rows; children?: ReactNode }) {
  return (
    <div className={styles.group}>
      <h3>{title}</h3>
      {rows.length > 0 && (
        <dl>
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd
                data-yes={value === true || undefined}
                className={value === false || value === 'unknown' ? 'gh-faint' : undefined}
              >
                {typeof value === 'boolean' ? (
                  value ? (
                    'yes'
                  ) : (
                    'no'
                  )
                ) : typeof value === 'string' ? (
                  <DomainText text={value} />
                ) : (
                  value
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {children}
    </div>
  );
}
