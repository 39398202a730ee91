/** GET …/shared-addresses: keys and hooks of the account whose signups nearly all have one IP. */
import type { Directory } from '../accounts/directory.ts';
import type { SharedAddressRow } from '../contract/dashboard-account.ts';
import type { SharedAddress } from '../model/shared-address.ts';
import { toInstant } from './dashboard-history.ts';
import type { DashboardRoutes } from './dashboard-route.ts';

export interface SharedAddressesRouteOptions {
  readonly directory: Pick<Directory, 'keysOf' | 'hooksOf'>;
  readonly sharedAddresses: () => readonly SharedAddress[];
}

export function sharedAddressesRoute(routes: DashboardRoutes, options: SharedAddressesRouteOptions): void {
  const { directory, sharedAddresses } = options;
  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/shared-addresses',
    minRole: 'member',
    handle({ account }): SharedAddressRow[] {
      const owners = [...directory.keysOf(account.id), ...directory.hooksOf(account.id)];
      const names = new Map(owners.map(({ id, name }) => [id, name]));
      return sharedAddresses()
        .filter((shared) => shared.account === account.id && names.has(shared.keyId))
        .map(({ keyId, kind, since }) => ({
          id: keyId,
          name: names.get(keyId) as string,
          kind,
          since: toInstant(since),
        }));
    },
  });
}
