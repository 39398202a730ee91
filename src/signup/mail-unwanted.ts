/** Decides whether a mail to the address would reach somebody who probably did not sign up. */
import type { Evidence } from '../model/evidence.ts';

/**
 * Nobody reads a confirmation on a pager. Any other address of a victim says little alone, and much as a member of a wave,
 * of which it carries one at most. An account that allows the address by its own list knows whose it is.
 */
export function isMailUnwanted({ email: { victim }, campaign, list }: Evidence): boolean {
  if (list?.action === 'allow') return false;
  if (victim === 'gateway') return true;
  return campaign !== null && (victim !== '' || campaign.mark === 'victims');
}
