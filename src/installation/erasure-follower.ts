/** Erases, in a running service, the people that commands noted: only the service can take them out of the index in its memory. */
import type { Logger } from 'pino';
import type { AddressHashes } from '../address/fingerprint.ts';
import type { HashedPerson } from '../model/hashed-person.ts';
import type { NotedErasure } from '../store/erasure-store.ts';
import type { Store } from '../store/store.ts';
import { erasePerson, findHashedPeople } from './privacy.ts';
import type { MailboxKeeping } from './privacy-mailboxes.ts';

export interface ErasureFollowerOptions {
  readonly store: Store;
  readonly hashes: AddressHashes;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly stopping: () => boolean;
  /** Makes this process read again what is stored about mail hosts. */
  readonly forgetMemory: () => Promise<void>;
  readonly mailboxes: MailboxKeeping;
  readonly log: Pick<Logger, 'error'>;
}

export interface ErasureFollower {
  /** Leaves what is noted and not ended now to the next start. */
  skipNoted(): Promise<void>;
  /** This process notes it and erases by itself. */
  skip(person: HashedPerson): void;
  /** Erases who was noted since. Resolves to how many. */
  follow(): Promise<number>;
}

const nameOf = ({ account, until, hashes }: HashedPerson) => `${account} ${until} ${hashes.join(' ')}`;

export function createErasureFollower(options: ErasureFollowerOptions): ErasureFollower {
  const { store, hashes, clock, stopping, forgetMemory, mailboxes, log } = options;
  const skipped = new Set<string>();
  let lookedAt: number | undefined;

  const pending = async () => (await store.erasures()).filter(({ appliedAt }) => appliedAt === null);

  /** Erases one person; the next start does again what fails. */
  async function erase({ person, by }: NotedErasure): Promise<void> {
    const { account } = person;
    const audit = (action: string, target: string, detail = '') => {
      return { at: clock(), by: by ?? 'command line', accountId: account, action, target, detail };
    };
    try {
      const data = await findHashedPeople(store, hashes, account, [person]);
      const erasure = { account, data, people: [person], audit, mailboxes, forgetMemory };
      await erasePerson(store, hashes, erasure);
      await store.overwriteFreed(stopping);
      if (!stopping()) await store.endErasure(person, clock());
    } catch (error) {
      if (!stopping()) log.error({ err: error }, 'a person whom a command named could not be erased yet');
    }
  }

  return {
    async skipNoted() {
      for (const { person } of await pending()) skipped.add(nameOf(person));
    },
    skip(person) {
      skipped.add(nameOf(person));
    },
    async follow() {
      // Without a commit of another process there is nothing to read.
      const mark = store.commitMark();
      if (mark !== undefined && mark === lookedAt) return 0;
      lookedAt = mark;
      const noted = (await pending()).filter(({ person }) => !skipped.has(nameOf(person)));
      for (const each of noted) {
        if (stopping()) break;
        skipped.add(nameOf(each.person));
        await erase(each);
      }
      return noted.length;
    },
  };
}
