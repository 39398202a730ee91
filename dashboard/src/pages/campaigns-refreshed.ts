/** Decides what the pages fetch again after something was done about an attack, and where the list of those who got in is. */
import type { AttackCard } from '../../../src/contract/dashboard-attacks.ts';
import { apiUrl, withQuery } from '../api.ts';

/** Paths of what blocking, labelling and undoing change. */
export const REFRESHED = ['attacks', 'campaigns', 'alerts', 'lists', 'assessments'];

/** The list of those who got in, as a file. */
export function csvOf(api: (path: string) => string, { let_in_filter: filter }: AttackCard): string {
  return apiUrl(withQuery(api('assessments.csv'), { ...filter }));
}
