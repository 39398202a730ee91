/** Decides which characters nobody sees: white space, default-ignorable characters, and the fillers that fonts draw as nothing. */

/**
 * Characters that show nothing, by Unicode's properties; the fillers have none in common. They are the blank Braille
 * pattern, the blanks of Egyptian hieroglyphs, the filler of the Khitan script and the empty head of a musical note.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]/u;
const BLANK = /\p{White_Space}/u;

export function hasInvisible(text: string): boolean {
  return INVISIBLE.test(text);
}

/** Text without what nobody sees at both ends. Takes time that grows with the length alone. */
export function trimInvisible(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isUnseen(text.codePointAt(from) as number))
    from += unitsOf(text.codePointAt(from) as number);
  while (from < to) {
    const last = lastCodePoint(text, from, to);
    if (!isUnseen(last)) break;
    to -= unitsOf(last);
  }
  return text.slice(from, to);
}

function isUnseen(codePoint: number): boolean {
  const character = String.fromCodePoint(codePoint);
  return BLANK.test(character) || INVISIBLE.test(character);
}

function lastCodePoint(text: string, from: number, to: number): number {
  const pair = to - 2 >= from ? (text.codePointAt(to - 2) as number) : 0;
  return pair > 0xffff ? pair : text.charCodeAt(to - 1);
}

function unitsOf(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1;
}
