/** Decides how a stored assessment says that somebody brought the person, for what reads no more of it. */

/**
 * Pair in the facts of those whom somebody brought, and in no others, for what searches the text: who it was has a place of
 * its own. A person's text in them cannot have these quotes.
 */
export const BROUGHT_FACT = ',"brought",true';

/** Whether velocity leaves out the stored assessment. */
export function isBrought({ facts }: { readonly facts: string }): boolean {
  return facts.includes(BROUGHT_FACT);
}
