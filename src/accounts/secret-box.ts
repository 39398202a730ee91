/** Encrypts what must be readable again, such as the secrets of hooks, with the installation's secret. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface SecretBox {
  /** `owner`: id of the object that the text belongs to. For another owner it cannot be decrypted. */
  encrypt(text: string, owner: string): string;
  /** @throws when it was encrypted with another secret, for another owner, or is damaged */
  decrypt(encrypted: string, owner: string): string;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Changes with the format. */
const FORM = 'v1.';
const PURPOSE = 'gatehouse: secrets that are stored encrypted';

export function createSecretBox(secret: Buffer): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES));
  return {
    encrypt(text, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
      const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return FORM + Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString('base64url');
    },
    decrypt(encrypted, owner) {
      if (!encrypted.startsWith(FORM)) throw new Error('the secret is encrypted in an unknown form');
      const bytes = Buffer.from(encrypted.slice(FORM.length), 'base64url');
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(owner));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const rest = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      return decipher.update(rest, undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
