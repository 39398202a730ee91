/** gatehouse doctor: looks whether an installation is sound, one line for each thing, and changes nothing. */
import type { Command } from 'commander';
import { readConfig, unknownSettings } from '../config/config.ts';
import type { DoctorCheck } from '../model/doctor-check.ts';
import { printableLine } from '../platform/printable.ts';
import { requireInstallation } from './installation.ts';
import { command } from './options.ts';
import { type OutputOptions, printJson, printLine, printProgress, wantsJson } from './output.ts';

const MARKS: Readonly<Record<DoctorCheck['state'], string>> = {
  ok: 'ok     ',
  warning: 'warning',
  failed: 'FAILED ',
};

export function doctor(): Command {
  return command('doctor', 'Check whether this installation is sound; changes nothing.')
    .addHelpText('after', HELP)
    .action(async (options: OutputOptions) => {
      const { examineInstallation } = await import('../operate/doctor/doctor.ts');
      const config = readConfig();
      requireInstallation(config);
      printProgress('reading every page of the database; this takes some seconds a GB');
      const checks = [settings(), ...(await examineInstallation(config))];
      if (wantsJson(options)) printJson(checks);
      else for (const check of checks) printLine(describe(check));
      const failed = checks.filter(({ state }) => state === 'failed').map(({ name }) => name);
      if (failed.length > 0)
        throw new Error(`${failed.length} of ${checks.length} checks failed: ${failed.join(', ')}`);
    });
}

function settings(): DoctorCheck {
  const unknown = unknownSettings();
  const name = 'settings';
  if (unknown.length === 0) return { name, state: 'ok', found: 'can be read', advice: null };
  const found = `unknown, ignored: ${unknown.join(', ')}`;
  return { name, state: 'warning', found, advice: 'correct or remove them' };
}

function describe({ name, state, found, advice }: DoctorCheck): string {
  return printableLine(`${MARKS[state]}  ${name}: ${found}${advice === null ? '' : ` → ${advice}`}`);
}

const HELP = `
Prints one line for each of: settings, service, database (reads every page), secret, free space, clock,
each resolver, each proxy, feeds, counters, and sign-in where an OpenID provider is set. A line that is not ok ends with what to do. Works with SQLite and with
PostgreSQL and Redis, whether the service runs or not. It queries the resolvers, and gets the time from
the host of GATEHOUSE_RDAP_BOOTSTRAP_URL, and asks the OpenID provider. Through each proxy it asks one of the addresses that the service asks.

Exit status: 0 if nothing failed (there may be warnings), 1 if something failed.

Example:
  gatehouse doctor --json`;
