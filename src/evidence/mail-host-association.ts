/** Decides what is said of a domain because of the hosts that take its mail. */
import { type DisposableHost, EMPTY_EMAIL, type Hit } from '../model/evidence.ts';

export interface Association {
  readonly relay: boolean;
  readonly disposableHost: DisposableHost;
  /** All its mail hosts serve ordinary domains as far as that is known, the first one certainly, and no other listed one. */
  readonly ordinary: boolean;
  readonly hits: readonly Hit[];
}

export const UNASSOCIATED: Association = {
  relay: false,
  disposableHost: EMPTY_EMAIL.disposableHost,
  ordinary: false,
  hits: [],
};
export const ORDINARY: Association = { ...UNASSOCIATED, ordinary: true };

export function associated(disposableHost: DisposableHost): Association {
  const hits = [{ fact: 'disposable', source: 'mail-host', entry: disposableHost.matched }];
  return { relay: false, disposableHost, ordinary: false, hits };
}

/** `entry`: the one that names the relay's host. */
export function relayed(entry: string): Association {
  return { ...UNASSOCIATED, relay: true, hits: [{ fact: 'relay', source: 'relay-mx', entry }] };
}
