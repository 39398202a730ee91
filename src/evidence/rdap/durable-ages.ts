/** Keeps what registries said in a store of named texts, so that a restart need not ask again. */
import type { AgeCache, AgeRecord } from './age-memory.ts';
import type { StoredText } from './bootstrap.ts';

/** Named texts that outlive the process; losing one costs a fetch. */
export interface TextCache {
  /** Also when expired. `undefined` when there is none, or it cannot be read. Never rejects. */
  get(name: string): StoredText | undefined | Promise<StoredText | undefined>;
  put(name: string, text: string, expiresAt: number): void;
}

export function createDurableAges(texts: TextCache): AgeCache {
  return {
    get(domain) {
      const kept = texts.get(`age:${domain}`);
      return kept instanceof Promise ? kept.then(readAge) : readAge(kept);
    },
    put(domain, { registeredAt, expiresAt }) {
      texts.put(`age:${domain}`, JSON.stringify(registeredAt), expiresAt);
    },
    getText: (name) => texts.get(`rdap:${name}`),
    putText: (name, text, expiresAt) => texts.put(`rdap:${name}`, text, expiresAt),
  };
}

function readAge(kept: StoredText | undefined): AgeRecord | undefined {
  if (kept === undefined) return undefined;
  return { registeredAt: JSON.parse(kept.text) as AgeRecord['registeredAt'], expiresAt: kept.expiresAt };
}
