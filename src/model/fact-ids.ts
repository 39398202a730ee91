/** Decides which entry of an own list and which wave a stored signup belongs to, for what searches signups without reading all their facts. */
import { CAMPAIGN_FACT } from './campaign.ts';

/** Beginnings of pairs in the facts, up to the id. A person's text in them cannot have these quotes. */
export const LIST_ID_FACT = ',"list",["';
export const OFFICE_ID_FACT = ',"office",["';
export const CAMPAIGN_ID_FACT = `,"${CAMPAIGN_FACT}",["`;

/**
 * PostgreSQL's statements read the same.
 * @param id of an entry that decided, or of the shared office where none did; `null`: there is neither
 */
export function hasListEntry(facts: string, id: string | null): boolean {
  const isDecided = facts.includes(LIST_ID_FACT);
  if (id === null) return !isDecided && !facts.includes(OFFICE_ID_FACT);
  return facts.includes(`${isDecided ? LIST_ID_FACT : OFFICE_ID_FACT}${id}"`);
}

/** @param id of the wave that it was judged as a member of; `null`: of none */
export function hasCampaign(facts: string, id: string | null): boolean {
  return id === null ? !facts.includes(CAMPAIGN_ID_FACT) : facts.includes(`${CAMPAIGN_ID_FACT}${id}"`);
}
