import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCharacter } from '../../test/support/any-character.ts';
import { decodeText, encodeText } from './text.ts';

it('escapes the same characters as JSON, and restores every text', () => {
  const unit = fc.oneof(
    fc.constantFrom('"', '\\', '\u0000', '\u001f', '\u007f', '\ud800', '\udfff', '\u2028', '🦊', 'ü'),
    fc.string({ minLength: 1, maxLength: 1, unit: anyCharacter }),
  );
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      expect(encodeText(text)).toBe(JSON.stringify(text).slice(1, -1));
      expect(decodeText(encodeText(text))).toBe(text);
    }),
  );
});
