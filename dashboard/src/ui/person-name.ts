/** The name of who did something, as tables and dialogs show it. */

/** The name without what follows in brackets: whether the address is verified is on the page People, and what an undo took back is marked there. */
export function personName(by: string): string {
  return /^(\S+) \((?:not verified|undo of #\d).*\)$/.exec(by)?.[1] ?? by;
}
