/** Connects the person with who they are at the OpenID provider. */
import type { OidcConnection } from '../../../src/contract/dashboard-people.ts';
import { useGet } from '../api.ts';
import { OidcButton } from './oidc-button.tsx';

export function OidcConnectionCard({ label }: { label: string }) {
  const connected = useGet<OidcConnection>('/oidc').data?.connected;
  if (connected === undefined) return null;
  if (connected) return <p>You can sign in with {label}.</p>;
  return (
    <>
      <p className="gh-dim">Sign in there once, and you can sign in here with {label} from then on.</p>
      <OidcButton verb={`Connect ${label}`} intent={{ connect: true, next: '/profile' }} primary={false} />
    </>
  );
}
