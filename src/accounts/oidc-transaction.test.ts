import { expect, it } from 'vitest';
import { END_TRANSACTION, readTransaction, writeTransaction } from './oidc-transaction.ts';
import { createSecretBox } from './secret-box.ts';

const box = createSecretBox(Buffer.alloc(32, 1));
const checks = { state: 's', nonce: 'n', verifier: 'v' };
const transaction = { next: '/', checks, expiresAt: 1_000 };
const cookie = writeTransaction(box, transaction).split(';')[0] as string;

it('is read on any node with the same secret, until it expires', () => {
  const other = createSecretBox(Buffer.alloc(32, 1));
  expect(readTransaction(other, `gatehouse.a=1; ${cookie}`, 999)).toEqual(transaction);
  expect(readTransaction(other, cookie, 1_000)).toBeUndefined();
});

it('is nobody else’s', () => {
  expect(readTransaction(createSecretBox(Buffer.alloc(32, 2)), cookie, 0)).toBeUndefined();
  const secret = box.encrypt(JSON.stringify(transaction), 'hk_1');
  for (const text of [undefined, '', 'gatehouse.oidc=', `gatehouse.oidc=${secret}`, cookie.slice(0, -4)])
    expect(readTransaction(box, text, 0)).toBeUndefined();
  expect(cookie).not.toContain('verifier');
  expect(END_TRANSACTION).toContain('Max-Age=0');
});
