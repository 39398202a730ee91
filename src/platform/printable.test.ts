import { expect, it } from 'vitest';
import { printable, printableLine } from './printable.ts';

const ESC = '\u001b';
/** Characters that terminals obey, and that change how a line is read. */
const HOSTILE = [
  ['the title of the window (OSC)', `${ESC}]0;owned\u0007`],
  ['a link (OSC 8)', `${ESC}]8;;https://evil.example${ESC}\\click${ESC}]8;;${ESC}\\`],
  ['the clipboard (OSC 52)', `${ESC}]52;c;b3duZWQ=\u0007`],
  ['colours and erased lines (CSI)', `${ESC}[31m${ESC}[2K${ESC}[1A`],
  ['CSI of C1', '\u009b2J'],
  ['OSC of C1', '\u009d0;owned\u009c'],
  ['a device string', `${ESC}P1$r${ESC}\\`],
  ['a bell', '\u0007'],
  ['a backspace over what is there', 'ok\b\bno'],
  ['a line that overwrites itself', 'failed\rok    '],
  ['a form feed, shift out and delete', '\f\u000e\u007f'],
  ['a null', 'a\u0000b'],
  ['a bidi override', 'gnp\u202egpj.exe'],
  ['bidi isolates and marks', '\u2066a\u2069\u200e\u200f\u061c'],
  ['other ends of lines', 'a\u2028b\u2029c\u0085d'],
  ['tags', 'a\u{e0041}b'],
  ['half a pair', 'a\ud800b'],
] as const;

const DANGEROUS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what may not be left
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}|[\u{e0000}-\u{e007f}]/u;

it.each(HOSTILE)('shows %s', (_, text) => {
  expect(printable(text)).not.toMatch(DANGEROUS);
  expect(printableLine(`${text}\t\n`)).not.toMatch(/[\t\n]/);
});

it.each(HOSTILE)('leaves the meaning of JSON with %s', (_, text) => {
  const json = JSON.stringify({ [text]: text });
  expect(printable(json)).not.toMatch(DANGEROUS);
  expect(JSON.parse(printable(json))).toEqual({ [text]: text });
});

it('changes nothing else', () => {
  const text = 'Zoë 北京 مرحبا 👩‍👧 … “a\\u001b” ~\t1\n2';
  expect(printable(text)).toBe(text);
});
