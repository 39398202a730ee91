/** Erases people while a service uses the embedded database: notes whom, as hashes, and waits until the service has erased them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { applyErasures } from '../installation/apply-erasures.ts';
import { FolderInUse } from '../installation/data-folder.ts';
import { noteErasure } from '../installation/erasure-list.ts';
import type { HashedPerson } from '../model/hashed-person.ts';
import { whileStopped } from '../operate/backup/while-stopped.ts';
import type { Storage } from '../wiring/storage.ts';
import { auditOf, commandLineUser } from './installation.ts';

const POLL_MS = 200;
/** The service may have ended meanwhile. */
const LOOK_MS = 3_000;

/** Runs `alone` where no service uses the folder, else `beside`. @throws when something else uses it */
export async function aloneOrBeside<T>(
  config: Config,
  alone: () => Promise<T>,
  beside: () => Promise<T>,
): Promise<T> {
  try {
    return await whileStopped(config, alone);
  } catch (error) {
    if (!(error instanceof FolderInUse) || error.by !== 'service') throw error;
    return beside();
  }
}

/** Resolves once nothing of them is left to do, by the service or, if it ends, by this process. */
export async function eraseByService(
  config: Config,
  { store, addressHashes: hashes }: Pick<Storage, 'store' | 'addressHashes'>,
  people: readonly HashedPerson[],
): Promise<void> {
  const by = commandLineUser();
  for (const person of people) {
    noteErasure(config, person);
    await store.noteErasure(person, by);
  }
  const names = new Set(people.map(nameOf));
  const isDone = async () =>
    (await store.erasures()).every(
      ({ person, appliedAt }) => appliedAt !== null || !names.has(nameOf(person)),
    );
  const { dataDir } = config;
  for (let lookedAt = performance.now(); !(await isDone()); await sleep(POLL_MS)) {
    if (performance.now() - lookedAt < LOOK_MS) continue;
    lookedAt = performance.now();
    const erasure = { dataDir, store, hashes, clock: Date.now, auditOf, mailboxes: config };
    const apply = () => applyErasures(erasure);
    await aloneOrBeside<unknown>(config, apply, async () => undefined);
  }
}

const nameOf = ({ account, until, hashes }: HashedPerson) => `${account} ${until} ${hashes.join(' ')}`;
