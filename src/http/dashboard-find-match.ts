/** Decides how well a name answers a text that was typed. */

/** 3: it is the text; 2: it begins with it; 1: one of its words does; 0: none. */
export type NameMatch = 0 | 1 | 2 | 3;

/** Compares without case and accents. @param text not empty */
export function matchName(name: string, text: string): NameMatch {
  const [all, wanted] = [fold(name), fold(text)];
  if (all === wanted) return 3;
  if (all.startsWith(wanted)) return 2;
  for (let at = all.indexOf(wanted, 1); at > 0; at = all.indexOf(wanted, at + 1))
    if (!/[\p{L}\p{N}]/u.test(all[at - 1] as string)) return 1;
  return 0;
}

/** The best match of several names. */
export function matchNames(names: readonly string[], text: string): NameMatch {
  return Math.max(0, ...names.map((name) => matchName(name, text))) as NameMatch;
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
