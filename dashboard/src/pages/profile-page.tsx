/** The signed-in person's own page: who they are, their password, their 2FA, their sessions. */
import type { Session } from '../../../src/contract/dashboard-account.ts';
import type { FirstStart } from '../../../src/contract/dashboard-people.ts';
import { useGet, useSession } from '../api.ts';
import { Card } from '../ui/card.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { OidcConnectionCard } from './profile-oidc.tsx';
import styles from './profile-page.module.css';
import { PasswordForm } from './profile-password-form.tsx';
import { Sessions } from './profile-sessions.tsx';
import { TwoFactor } from './profile-two-factor.tsx';

export function ProfilePage() {
  const session = useSession().data as Session;
  const { user, accounts } = session;
  const signInMethods = useGet<FirstStart>('/first-start').data;
  const hasPasswords = signInMethods?.passwords !== false;
  return (
    <>
      <PageHeader title="Profile and security">
        {user.name}, {user.email}
        {user.operator && ', operator of this installation'}
      </PageHeader>
      <div className={styles.column}>
        {hasPasswords && (
          <>
            <Card title="Two-factor authentication (2FA)" note={user.two_factor ? 'on' : 'off'}>
              <TwoFactor on={user.two_factor} />
            </Card>
            <Card title="Password">
              <PasswordForm email={user.email} />
            </Card>
          </>
        )}
        {typeof signInMethods?.oidc === 'string' && (
          <Card title="Sign-in at a provider">
            <OidcConnectionCard label={signInMethods.oidc} hasPasswords={hasPasswords} />
          </Card>
        )}
        <Card title="Sessions" note="where you are signed in">
          <Sessions />
        </Card>
        {!user.operator && (
          <Card title="Accounts">
            <ul className={styles.accounts}>
              {accounts.map(({ id, name, role }) => (
                <li key={id}>
                  {name} <span className="gh-dim">{role}</span>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </div>
    </>
  );
}
