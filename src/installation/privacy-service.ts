/** Answers the dashboard about personal data, and erases it while the service runs. */
import type { Logger } from 'pino';
import { createSecretBox } from '../accounts/secret-box.ts';
import { parseEmail } from '../address/email.ts';
import type { AddressHashes } from '../address/fingerprint.ts';
import { parseIp } from '../address/ip.ts';
import type { PersonTexts } from '../contract/dashboard-privacy.ts';
import { formatFilterValues } from '../contract/filter-values.ts';
import type { HashedPerson } from '../model/hashed-person.ts';
import type { MakeAuditEntry } from '../store/audit-store.ts';
import type { Store } from '../store/store.ts';
import type { ErasureFollower } from './erasure-follower.ts';
import {
  countsOf,
  findPerson,
  mailboxHashesOf,
  noteAndErase,
  type Person,
  readPersonEmail,
} from './privacy.ts';
import { exportPersonData } from './privacy-export.ts';
import type { MailboxKeeping } from './privacy-mailboxes.ts';
import type { RecordKeeping } from './privacy-words.ts';

export interface PrivacyServiceOptions {
  readonly dataDir: string;
  readonly store: Store;
  readonly addressHashes: AddressHashes;
  readonly clock: () => number;
  readonly stopping: () => boolean;
  /** Makes this process read again what is stored about mail hosts. */
  readonly forgetMemory: () => Promise<void>;
  /** Secret of the installation, under which appeals are encrypted. */
  readonly secret: Buffer;
  readonly mailboxes: MailboxKeeping & RecordKeeping;
  readonly log: Pick<Logger, 'error'>;
  /** Does not take what is erased here for what a command asks for. */
  readonly erasures: Pick<ErasureFollower, 'skip'>;
}

export function createPrivacyService(options: PrivacyServiceOptions) {
  const { dataDir, store, addressHashes: hashes, clock, stopping, forgetMemory, log } = options;
  const { mailboxes, erasures } = options;
  const box = createSecretBox(options.secret);
  let overwriting = Promise.resolve();

  /** Nobody waits for it: the person is not found any more. If it is interrupted, the next start finishes it. */
  function overwrite(person: HashedPerson): void {
    const end = async () => {
      await store.overwriteFreed(stopping);
      if (!stopping()) await store.endErasure(person, clock());
    };
    overwriting = overwriting.then(end).catch((error: Error) => {
      if (!stopping()) log.error({ err: error }, 'what was erased could not be overwritten');
    });
  }

  return {
    readEmail: (text: string) => parseEmail(text)?.address,
    readIp: (text: string) => parseIp(text)?.text,
    async count(texts: PersonTexts) {
      const person = toPerson(texts);
      const counts = countsOf(await findPerson(store, hashes, person, clock()), mailboxes);
      const any = [...mailboxHashesOf(hashes, person.email)];
      return { ...counts, mailbox: formatFilterValues({ any, not: [] }) };
    },
    async export(texts: PersonTexts) {
      const data = await findPerson(store, hashes, toPerson(texts), clock());
      return exportPersonData(store, texts.account, data, mailboxes, box);
    },
    async erase(texts: PersonTexts, audit: MakeAuditEntry) {
      const erasure = {
        dataDir,
        until: clock(),
        audit,
        mailboxes,
        forgetMemory,
        onNote: erasures.skip,
      };
      const { data, noted } = await noteAndErase(store, hashes, toPerson(texts), erasure);
      overwrite(noted);
      return countsOf(data, mailboxes);
    },
  };
}

function toPerson({ email, ...rest }: PersonTexts): Person {
  return { ...rest, email: readPersonEmail(email) };
}
