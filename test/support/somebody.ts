/** People with ordinary names, for tests in which many sign up: numbers behind one word would be a wave. */

const FIRST =
  'anna ben clara david emma felix greta hugo ida jonas klara leo mia noah olivia paul rosa simon tilda victor'.split(
    ' ',
  );
const LAST =
  'adler becker clark dietrich evans fischer green hansen ivanova jansen keller lopez martin novak olsen peters quinn rossi schmidt turner'.split(
    ' ',
  );

/** Local part of the `number`-th of 400 people: `anna.adler`. */
export function somebody(number: number): string {
  const first = FIRST[number % FIRST.length];
  const last = LAST[(Math.floor(number / FIRST.length) + number) % LAST.length];
  return `${first}.${last}`;
}
