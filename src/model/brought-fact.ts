/** Decides how a stored assessment says that somebody brought the person, for what reads no more of it. */

/** Text in the facts of those whom somebody brought, and in no others: a person's text in them cannot have these quotes. */
export const BROUGHT_FACT = ',"velocity.broughtBy","';

/** Whether velocity leaves out the stored assessment. Older texts have no such fact. */
export function isBrought(texts: { readonly facts: string } | { readonly body: string }): boolean {
  return 'facts' in texts && texts.facts.includes(BROUGHT_FACT);
}
