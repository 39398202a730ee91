/** gatehouse privacy: shows and erases what is kept of a person. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createSecretBox } from '../accounts/secret-box.ts';
import { readConfig } from '../config/config.ts';
import type { PersonChapter } from '../contract/dashboard-privacy.ts';
import { applyErasures } from '../installation/apply-erasures.ts';
import { addErasures, readErasures } from '../installation/erasure-list.ts';
import {
  countsOf,
  findHashedPeople,
  findPerson,
  identifyPerson,
  noteAndErase,
  readPersonEmail,
  readPersonIp,
} from '../installation/privacy.ts';
import { exportPersonData } from '../installation/privacy-export.ts';
import type { HashedPerson } from '../model/hashed-person.ts';
import type { EmailAddress } from '../model/signup-attempt.ts';
import type { Store } from '../store/store.ts';
import type { Storage } from '../wiring/storage.ts';
import { aloneOrBeside, eraseByService } from './erase-beside.ts';
import { auditEntry, auditOf, findAccount, requireInstallation, withStore } from './installation.ts';
import { command, group } from './options.ts';
import { type OutputOptions, printJson, printLine, printOne } from './output.ts';

interface PersonOptions extends OutputOptions {
  readonly account: string;
  readonly email: EmailAddress;
  readonly ip?: string;
  readonly session?: string;
}

interface EraseOptions extends PersonOptions {
  readonly yes?: true;
}

export function privacy(): Command {
  return group('privacy', 'Export or erase the data of a person who asks for it.', [
    exportPerson(),
    erase(),
    reapply(),
  ]);
}

function personCommand(name: string, description: string, ...help: string[]): Command {
  return command(name, description, [], ...help)
    .requiredOption('--account <id>', 'the account whose signups are searched')
    .addOption(
      new Option('--email <address>', 'the person’s address; also finds its other spellings')
        .argParser(argument(readPersonEmail))
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--ip <ip>', 'also signups from this IP: only if nobody else used it').argParser(
        argument(readPersonIp),
      ),
    )
    .option('--session <id>', 'also signups with this session id');
}

function exportPerson(): Command {
  const help = ['print JSON (default)', 'print it in sentences for the person'];
  return personCommand('export', 'Print all stored data of a person.', ...help)
    .addHelpText('after', `\nExample:\n  gatehouse privacy export --account acc_… --email jo@example.com`)
    .action((options: PersonOptions) =>
      withStore(async (store, hashes, secret) => {
        await findAccount(store, options.account);
        const data = await findPerson(store, hashes, options, Date.now());
        const count = `${data.assessments.length} assessments, ${data.entries.length} list entries`;
        await store.audit(auditEntry(options.account, 'privacy.export', 'a person', count));
        const box = createSecretBox(secret);
        const exported = await exportPersonData(store, options.account, data, readConfig(), box);
        if (options.text === true) printChapters(exported.in_words);
        else printJson(exported);
      }),
    );
}

function printChapters(chapters: readonly PersonChapter[]): void {
  for (const { title, sentences } of chapters) printLine([title, ...sentences, ''].join('\n'));
}

const ERASE_HELP = `
Without --yes it only counts what it would erase. Signups stay, without the person, so charts and credits
do not change. Notes in reports, idempotency keys and list entries for the address or the IP are removed,
and the address is removed from earlier entries of the audit log. This cannot be undone.

With the embedded database, a running service erases the person, and this command waits for it. If no
service runs, this rewrites the database file, which needs as much free space as the file has. Backups still
contain the person: keep a copy of erasures.jsonl beside them, and restore with \`gatehouse restore FILE --erasures\`.

Example:
  gatehouse privacy erase --account acc_… --email jo@example.com --yes`;

function erase(): Command {
  return personCommand('erase', 'Erase all stored data of a person.')
    .option('--yes', 'erase it; without it, only show what would be erased')
    .addHelpText('after', ERASE_HELP)
    .action((options: EraseOptions) => {
      if (options.yes !== true) return withStore((store, hashes) => show(store, hashes, options));
      const config = readConfig();
      requireInstallation(config);
      const alone = () =>
        withStore(async (store, hashes) => {
          await findAccount(store, options.account);
          const audit = auditOf(options.account);
          const erasure = { dataDir: config.dataDir, until: Date.now(), audit, mailboxes: config };
          const { data, noted } = await noteAndErase(store, hashes, options, erasure);
          await store.rewriteAll();
          await store.endErasure(noted, Date.now());
          printOne({ erased: true, ...countsOf(data, config) }, options);
        });
      const beside = () =>
        withStore(async (store, addressHashes) => {
          const { account } = options;
          await findAccount(store, account);
          const { data, noted } = await identifyPerson(store, addressHashes, options, Date.now());
          await eraseByService(config, { store, addressHashes }, [noted]);
          printOne({ erased: true, by: SERVICE, ...countsOf(data, config) }, options);
        });
      return aloneOrBeside(config, alone, beside);
    });
}

const SERVICE = 'the running service';

async function show(store: Store, hashes: Storage['addressHashes'], options: EraseOptions): Promise<void> {
  await findAccount(store, options.account);
  const found = await findPerson(store, hashes, options, Date.now());
  printOne({ would_erase: true, ...countsOf(found, readConfig()) }, options);
}

function reapply(): Command {
  return command('reapply', 'Erase again, in older data, the people in a list of erasures.')
    .argument('<file>', 'erasures.jsonl of the data folder in which they were erased')
    .addHelpText('after', '\nExample:\n  gatehouse privacy reapply /old/folder/erasures.jsonl')
    .action((file: string, options: OutputOptions) => {
      const config = readConfig();
      requireInstallation(config);
      const listed = readErasures(file);
      const alone = () =>
        withStore(async (store, hashes) => {
          addErasures(config, listed);
          const { dataDir } = config;
          const erasure = { dataDir, store, hashes, clock: Date.now, auditOf, mailboxes: config };
          const applied = await applyErasures(erasure);
          if (applied.people === 0) await store.rewriteAll();
          printOne({ ...applied }, options);
        });
      const beside = () =>
        withStore(async (store, addressHashes) => {
          addErasures(config, listed);
          const found = await countOf(store, addressHashes, listed);
          await eraseByService(config, { store, addressHashes }, listed);
          printOne({ ...found, by: SERVICE }, options);
        });
      return aloneOrBeside(config, alone, beside);
    });
}

/** Number of stored things about these people. */
async function countOf(store: Store, hashes: Storage['addressHashes'], people: readonly HashedPerson[]) {
  let [assessments, entries] = [0, 0];
  for (const account of new Set(people.map((person) => person.account))) {
    const own = people.filter((person) => person.account === account);
    const data = await findHashedPeople(store, hashes, account, own);
    assessments += data.assessments.length;
    entries += data.entries.length;
  }
  return { people: people.length, assessments, list_entries: entries };
}

function argument<T>(read: (text: string) => T) {
  return (text: string): T => {
    try {
      return read(text);
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  };
}
