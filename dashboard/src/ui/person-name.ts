/** The name of who did something, as tables and dialogs show it. */

/** The name without what follows in brackets: whether the address is verified is on the page People. */
export function personName(by: string): string {
  return /^(\S+) \(not verified.*\)$/.exec(by)?.[1] ?? by;
}
