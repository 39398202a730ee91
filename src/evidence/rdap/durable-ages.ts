/** Keeps what registries said in a store of named texts, so that a restart need not ask again. */
import type { AgeCache, AgeRecord } from './age-memory.ts';

/** Named texts that outlive the process; losing one costs a fetch. */
export interface Texts {
  /** Also when expired. `undefined` when there is none, or it cannot be read. */
  get(name: string): { readonly text: string; readonly expiresAt: number } | undefined;
  put(name: string, text: string, expiresAt: number): void;
}

export function createDurableAges(texts: Texts): AgeCache {
  return {
    get(domain) {
      const kept = texts.get(`age:${domain}`);
      if (kept === undefined) return undefined;
      return { registeredAt: JSON.parse(kept.text) as AgeRecord['registeredAt'], expiresAt: kept.expiresAt };
    },
    put(domain, { registeredAt, expiresAt }) {
      texts.put(`age:${domain}`, JSON.stringify(registeredAt), expiresAt);
    },
    getText: (name) => texts.get(`rdap:${name}`),
    putText: (name, text, expiresAt) => texts.put(`rdap:${name}`, text, expiresAt),
  };
}
