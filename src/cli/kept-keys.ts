/** Keeps the first keys in a file from before they are stored until they are handed over: a start that ends in between loses none. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashKey } from '../accounts/api-keys.ts';
import { type FirstKeys, makeFirstAccount } from '../accounts/first-account.ts';
import { createMakeId } from '../contract/identifiers.ts';
import type { AccountStore } from '../store/store.ts';
import { removeSecretFile, writeSecretFile } from './hand-over-secret.ts';

const KEPT_FILE = 'first-keys.kept';

type FirstStore = Pick<AccountStore, 'saveFirstAccount' | 'changesSince'>;

export interface KeepOptions {
  readonly dataDir: string;
  /** Text of the first live key, if the operator chose one. */
  readonly bootstrapKey: string | null;
  /** Whether keys may be made that cannot be kept, because they are shown at once. */
  readonly unkept: boolean;
}

/**
 * The keys of the first start: made now, or by an earlier start that did not come to hand them over; else `undefined`.
 * @throws when they cannot be stored, or kept
 */
export async function firstKeysToHandOver(
  store: FirstStore,
  { dataDir, bootstrapKey, unkept }: KeepOptions,
): Promise<FirstKeys | undefined> {
  const kept = readKept(dataDir);
  if (kept !== undefined) {
    if (await areStored(store, kept)) return kept;
    // That start ended before it stored them.
    forgetKeptKeys(dataDir);
  }
  const keep = (keys: FirstKeys) => {
    try {
      writeSecretFile(dataDir, KEPT_FILE, `${JSON.stringify(keys)}\n`);
    } catch (error) {
      if (!unkept) throw new UnkeptKeys((error as Error).message);
    }
  };
  const made = await makeFirstAccount(store, createMakeId(), Date.now(), bootstrapKey, keep);
  // Another node was first.
  if (made === undefined) forgetKeptKeys(dataDir);
  return made;
}

/** There is no place for keys that cannot be shown: none were made. */
export class UnkeptKeys extends Error {}

/** Removes the kept keys, once they are handed over. */
export function forgetKeptKeys(dataDir: string): void {
  removeSecretFile(dataDir, KEPT_FILE);
}

function readKept(dataDir: string): FirstKeys | undefined {
  const file = join(dataDir, KEPT_FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as FirstKeys) : undefined;
}

async function areStored(store: FirstStore, { sandbox }: FirstKeys): Promise<boolean> {
  const { keys } = await store.changesSince(0);
  const stored = hashKey(sandbox);
  return keys.some(({ hash }) => hash === stored);
}
