/** Decides how a stored assessment says that somebody brought the person, for what reads no more of it. */

/** Text in the facts of those whom somebody brought, and in no others: a person's text in them cannot have these quotes. */
export const BROUGHT_FACT = ',"velocity.broughtBy","';

/** Whether velocity leaves out the stored assessment. */
export function isBrought({ facts }: { readonly facts: string }): boolean {
  return facts.includes(BROUGHT_FACT);
}
