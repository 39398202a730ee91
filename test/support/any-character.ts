/** Any character of Unicode, for `fc.string({ unit })`: its own unit `binary` makes a table of all of them first, which takes a second. */
import fc from 'fast-check';

/** The surrogates between them are no characters. */
const codePoint = fc.oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }));

export const anyCharacter: fc.Arbitrary<string> = codePoint.map((point) => String.fromCodePoint(point));
