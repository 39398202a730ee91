/** Reads the settings of a connection, with its secret. */
import type { SecretBox } from '../accounts/secret-box.ts';
import type { ProviderConnection } from '../model/take-back.ts';
import type { ProviderSettings } from './provider.ts';

export const UNREADABLE_SECRET =
  'The secret of the connection cannot be read with the secret of this installation: enter it again.';

/** @returns `undefined` where the secret was encrypted with another secret of the installation */
export function settingsOf(
  { id, kind, url, clientId, realm, secret }: ProviderConnection,
  box: Pick<SecretBox, 'decrypt'>,
): ProviderSettings | undefined {
  try {
    return { kind, url, clientId, realm, secret: box.decrypt(secret, id) };
  } catch {
    return undefined;
  }
}
