/** gatehouse intel check */
import type { Command } from 'commander';
import { checkText } from '../intel/check.ts';
import { progress, withFeeds } from './intel-open-feeds.ts';
import { command, printJson, printMany, wantsJson } from './output.ts';

export function intelCheck(): Command {
  return command('check', 'Show every source that lists an IP, a domain or an email address, with its entry.')
    .argument('<what>', 'an IP address, a domain or an email address')
    .action((what: string, options: { json?: true }) =>
      withFeeds(async ({ config }) => {
        const { openIntel } = await import('../app-intel-repository.ts');
        const intel = await openIntel(config, progress);
        const { query, listings } = checkText(intel, what);
        const rows = listings.map(({ source, fact, entry, version, holds, because, departed }) => ({
          source,
          fact,
          entry,
          version,
          holds,
          because: because === '' ? null : because,
          departed,
        }));
        if (wantsJson(options)) printJson({ asked: query, snapshot: intel.id, listings: rows });
        else printMany(rows, options, `No list of snapshot ${intel.id} contains ${query}.`);
      }),
    );
}
