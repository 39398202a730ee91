/** Texts that can be decrypted: the same text, for the same owner, with the same secret. */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createSecretBox } from './secret-box.ts';

const box = createSecretBox(randomBytes(32));

it('decrypts to the same text, and does not show it', () => {
  const text = 'v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw – é';
  const encrypted = box.encrypt(text, 'hk_1');
  expect(encrypted).not.toContain('whsec');
  expect(box.decrypt(encrypted, 'hk_1')).toBe(text);
  expect(box.encrypt(text, 'hk_1')).not.toBe(encrypted);
});

it('decrypts nothing with another secret, for another owner, or after the text was changed', () => {
  const encrypted = box.encrypt('a secret', 'hk_1');
  const last = encrypted.at(-1) === 'A' ? 'Q' : 'A';
  const attempts = [
    () => createSecretBox(randomBytes(32)).decrypt(encrypted, 'hk_1'),
    () => box.decrypt(encrypted, 'hk_2'),
    () => box.decrypt(encrypted.slice(0, -4) + last.repeat(4), 'hk_1'),
    () => box.decrypt(encrypted.slice(0, 24), 'hk_1'),
    () => box.decrypt('a secret', 'hk_1'),
  ];
  for (const attempt of attempts) expect(attempt).toThrow();
});
