/** gatehouse privacy: shows and erases what is kept of a person. */
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { erasuresFile, type HashedPerson, noteErasure, readErasures } from '../app-erasures.ts';
import {
  erasePerson,
  findPerson,
  hashPerson,
  readPersonEmail,
  readPersonIp,
  whileStopped,
} from '../app-privacy.ts';
import { readConfig } from '../config.ts';
import type { EmailAddress } from '../model/signup-attempt.ts';
import type { Store } from '../store/store.ts';
import { auditEntry, findAccount, requireInstallation, withStore } from './installation.ts';
import { command, group } from './options.ts';
import { type OutputOptions, printJson, printOne, toTime } from './output.ts';

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
  return group('privacy', 'Answer a person who asks what is kept of them, or to be erased.', [
    exportPerson(),
    erase(),
    reapply(),
  ]);
}

function personCommand(name: string, description: string): Command {
  return command(name, description)
    .requiredOption('--account <id>', 'the account whose signups are searched')
    .addOption(
      new Option('--email <address>', 'the person’s address; finds its other spellings, too')
        .argParser(argument(readPersonEmail))
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--ip <ip>', 'also what came from this IP: only if nobody else used it').argParser(
        argument(readPersonIp),
      ),
    )
    .option('--session <id>', 'also what has this session id');
}

function exportPerson(): Command {
  return personCommand('export', 'Print everything that is kept of a person, as JSON.')
    .addHelpText('after', `\nExample:\n  gatehouse privacy export --account acc_… --email jo@example.com`)
    .action((options: PersonOptions) =>
      withStore(async (store, hashes) => {
        await findAccount(store, options.account);
        const person = hashPerson(hashes, options, Date.now());
        const { assessments, entries } = await findPerson(store, hashes, person);
        const feedback = [];
        for (const { requestId } of assessments) feedback.push(await store.findFeedback(requestId));
        const count = `${assessments.length} assessments, ${entries.length} list entries`;
        await store.audit(auditEntry(options.account, 'privacy.export', 'a person', count));
        printJson({
          assessments: assessments.map((stored) => ({ ...stored, at: toTime(stored.at) })),
          feedback: feedback.filter((mark) => mark !== undefined),
          list_entries: entries,
        });
      }),
    );
}

const ERASE_HELP = `
Without --yes it only counts what it would erase. Erased are assessments with their feedback, challenges
and idempotency keys, list entries for the address or the IP, and all of it in the index. Credits stay.
This cannot be undone. With the embedded database, stop the service first; the database is written again,
which needs as much free space as it has. Backups still contain the person: after a restore, run
\`gatehouse privacy reapply\` with the file erasures.jsonl, which has keyed hashes alone.

Example:
  gatehouse privacy erase --account acc_… --email jo@example.com --yes`;

function erase(): Command {
  return personCommand('erase', 'Erase everything that is kept of a person.')
    .option('--yes', 'erase it; else only show what would be erased')
    .addHelpText('after', ERASE_HELP)
    .action((options: EraseOptions) => {
      if (options.yes !== true) return withStore((store, hashes) => show(store, hashes, options));
      const config = readConfig();
      requireInstallation(config);
      return whileStopped(config, () =>
        withStore(async (store, hashes) => {
          await findAccount(store, options.account);
          const person = hashPerson(hashes, options, Date.now());
          // First: what is interrupted can be applied again.
          noteErasure(config, person);
          printOne(await eraseOne(store, hashes, person), options);
        }),
      );
    });
}

type Hashes = Parameters<typeof findPerson>[1];

async function show(store: Store, hashes: Hashes, options: EraseOptions): Promise<void> {
  await findAccount(store, options.account);
  const found = await findPerson(store, hashes, hashPerson(hashes, options, Date.now()));
  const { length: assessments } = found.assessments;
  printOne({ would_erase: true, assessments, list_entries: found.entries.length }, options);
}

async function eraseOne(store: Store, hashes: Hashes, person: HashedPerson) {
  const found = await findPerson(store, hashes, person);
  await erasePerson(store, found, (...entry) => auditEntry(person.account, ...entry));
  return { erased: true, assessments: found.assessments.length, list_entries: found.entries.length };
}

function reapply(): Command {
  return command('reapply', 'Erase again, after a restore, who was erased since the backup.')
    .argument('<file>', 'erasures.jsonl of the data folder in which they were erased')
    .addHelpText('after', '\nExample:\n  gatehouse privacy reapply /old/folder/erasures.jsonl')
    .action((file: string, options: OutputOptions) => {
      const config = readConfig();
      requireInstallation(config);
      const people = readErasures(file);
      return whileStopped(config, () =>
        withStore(async (store, hashes) => {
          let [assessments, entries] = [0, 0];
          if (resolve(file) !== resolve(erasuresFile(config)))
            for (const person of people) noteErasure(config, person);
          for (const person of people) {
            const erased = await eraseOne(store, hashes, person);
            assessments += erased.assessments;
            entries += erased.list_entries;
          }
          printOne({ people: people.length, assessments, list_entries: entries }, options);
        }),
      );
    });
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
