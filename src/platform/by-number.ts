/** Makes the pieces of a text that have a number in them: small numbers come often, so their pieces are made once. */

/** Numbers below this have a text that is made once. */
const OFTEN = 256;

/** A text for each number; those of small whole ones are kept. */
export function byNumber(write: (value: number) => string): (value: number) => string {
  const texts: string[] = [];
  return (value) => {
    const known = texts[value];
    if (known !== undefined) return known;
    if (!Number.isInteger(value) || value < 0 || value >= OFTEN) return write(value);
    // Without holes: V8 finds what is in a list without them faster.
    while (texts.length <= value) texts.push(write(texts.length));
    return texts[value] as string;
  };
}
