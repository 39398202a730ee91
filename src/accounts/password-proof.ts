/** Decides whether the password that a call of the sign-in library proved is still the user's when the call ends: another password that was set meanwhile wins. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { hashPassword, verifyPassword } from './password.ts';

/** Functions with which the library hashes and verifies. Wherever it verifies, it looks at the stored hash only once. */
interface PasswordFunctions {
  hash(password: string): Promise<string>;
  verify(stored: { hash: string; password: string }): Promise<boolean>;
}

export interface PasswordProofs extends PasswordFunctions {
  /** Notes what `work` proves. */
  during<T>(proof: PasswordProof, work: () => Promise<T>): Promise<T>;
  /**
   * Stores a new password, if the one that was proved is still the user's. The library itself would overwrite whatever is
   * there, also the password of a link that ended the very session.
   */
  replace(passwordHash: string): Promise<boolean>;
}

/** Hashes have salts, so each belongs to one user. */
export interface PasswordProof {
  /** The hash of the password that was proved, or set after it was; `undefined`: none was. */
  hash?: string;
}

/** @param replacePassword see `SessionStore` */
export function createPasswordProofs(
  replacePassword: (from: string, to: string) => Promise<boolean>,
): PasswordProofs {
  const proofs = new AsyncLocalStorage<PasswordProof>();
  return {
    during: (proof, work) => proofs.run(proof, work),
    hash: hashPassword,
    async verify(stored) {
      const right = await verifyPassword(stored);
      const proof = proofs.getStore();
      if (right && proof !== undefined) proof.hash = stored.hash;
      return right;
    },
    async replace(passwordHash) {
      const proof = proofs.getStore();
      if (proof?.hash === undefined || !(await replacePassword(proof.hash, passwordHash))) return false;
      proof.hash = passwordHash;
      return true;
    },
  };
}
