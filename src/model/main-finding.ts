/** Decides which finding of a stored signup is its main one, for what counts and searches signups without judging them again. */

/** Min. points of a finding that is named where there is room for one: less says next to nothing about a person. */
export const MIN_MAIN_POINTS = 5;
/** Main finding of who is on the account's Allow list: nothing was found, and the entry decided. */
export const ALLOW_LIST = 'allow_list';
/** Main finding of who is on the account's Block list. */
export const DENY_LIST = 'deny_list';

/** Beginning of the findings in the facts, the heaviest first: the names before them have no brackets. */
const FINDINGS = ',[';
/** Pair in the facts of those whom an entry of an own list decided. A person's text in them cannot have these quotes. */
const LIST_FACT = ',"list",[';

/**
 * PostgreSQL's `gatehouse_finding_1` reads the same.
 * @returns the detector; empty where none has at least five points
 */
export function mainDetectorOf(facts: string): string {
  const [, findings = ''] = facts.split(FINDINGS, 2);
  if (!findings.startsWith('"')) return facts.includes(LIST_FACT) ? ALLOW_LIST : '';
  const [detector = '', weight = ''] = findings.split(',', 2);
  return Number.parseFloat(weight) >= MIN_MAIN_POINTS ? detector.slice(1, -1) : '';
}
