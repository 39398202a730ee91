/** Decides how a stored assessment says what velocity must know of it, for what reads no more of it. */

/**
 * Pair in the facts of those whom somebody brought, and in no others, for what searches the text: who it was has a place of
 * its own. A person's text in them cannot have these quotes.
 */
export const BROUGHT_FACT = ',"brought",true';
/** The same of those whose address has a name as people have them. */
export const NAMED_FACT = ',"named",true';

type StoredFacts = { readonly facts: string };

/** Whether velocity leaves out the stored assessment. */
export function isBrought({ facts }: StoredFacts): boolean {
  return facts.includes(BROUGHT_FACT);
}

export function isNamed({ facts }: StoredFacts): boolean {
  return facts.includes(NAMED_FACT);
}
