/** Decides whether a mail to the address would reach somebody who probably did not sign up. */
import type { Evidence } from '../model/evidence.ts';

/** Nobody reads a confirmation on a pager. An account that allows the address by its own list knows whose it is. */
export function isMailUnwanted({ email, list }: Evidence): boolean {
  return email.victim === 'gateway' && list?.action !== 'allow';
}
