/** Decides which spellings of an international local part are the same in upper and lower case. */

/** A dot that nobody sees, because the letter below has one: `İlker` in lower case is `i̇lker` and looks like `ilker`. */
const SECOND_DOT = /(?<=\p{Soft_Dotted})\u0307+/gu;
/** Both forms of the Greek letter are one in upper case. */
const SIGMA = /[σς]/u;
const FINAL_SIGMA = /(?<=[\p{L}\p{M}])[σς](?![\p{L}\p{M}])/gu;

/**
 * NFC, in lower case. Σ becomes ς at the end of a run of letters and σ elsewhere, whatever follows in the address. ß and ss stay
 * two: there are people of both names, and servers tell them apart. Letters that only look alike stay apart too.
 */
export function foldCase(text: string): string {
  const lower = text.normalize('NFC').toLowerCase().replace(SECOND_DOT, '').normalize('NFC');
  return SIGMA.test(lower) ? lower.replaceAll('ς', 'σ').replace(FINAL_SIGMA, 'ς') : lower;
}
