/** gatehouse intel: shows, fetches, moves and checks feeds; its commands for mail hosts are in `intel-mail-hosts.ts`. */
import type { Command } from 'commander';
import { checkText } from '../intel/check.ts';
import type { FeedStatus } from '../model/feed-status.ts';
import { findFeed, printPublication, printReports, recordCommand, withFeeds } from './intel-feeds.ts';
import { forgetHost, host, trustHost } from './intel-mail-hosts.ts';
import { command, group } from './options.ts';
import {
  type OutputOptions,
  printJson,
  printLine,
  printMany,
  printOne,
  printProgress,
  toTime,
  wantsJson,
} from './output.ts';

interface ImportOptions extends OutputOptions {
  readonly compare?: true;
}

interface RefreshOptions extends ImportOptions {
  readonly anySize?: true;
}

const COMPARE = ['--compare', 'let the service compare verdicts before it uses the new versions'] as const;
const COMPARE_HELP = `
The new versions are used at once, whatever they change: you decided it. With --compare they are only fetched.
The running service, or the next one that starts, judges the signups of the last days with them. It uses them
within a minute, unless they change too many verdicts: then they wait for you. See docs/feeds.md.`;

export function intel(): Command {
  return group(
    'intel',
    'Intelligence, what is known of domains and networks: show, fetch, move and check feeds, and the data about mail hosts.',
    [
      status(),
      refresh(),
      importFeeds(),
      exportFeeds(),
      check(),
      rollback(),
      useUpdate(),
      keepVersion(),
      host(),
      forgetHost(),
      trustHost(),
    ],
  );
}

function status(): Command {
  return command('status', 'Show each feed: version, age, entries, and the last problem.').action(
    (options: OutputOptions) =>
      withFeeds(async ({ config, status }) => {
        const now = Date.now();
        const shown = (await status()).map((feed) => toRow(feed, now));
        if (wantsJson(options)) return printJson(shown);
        const rows = shown.map(({ id, state, version, entries, age_seconds }) => ({
          id,
          state,
          version,
          entries,
          age: age_seconds === null ? null : `${(age_seconds / 3600).toFixed(1)} h`,
        }));
        printMany(rows, options, 'There are no feeds.');
        const remarks = shown.flatMap(({ id, last_refusal, last_failure, review, held }) => [
          ...(last_failure === null ? [] : [`${id} was not fetched: ${last_failure}`]),
          ...(last_refusal === null
            ? []
            : [`an update of ${id} was rejected at ${last_refusal.at}: ${last_refusal.why}`]),
          ...reviewRemark(id, review),
          ...(held ? [`${id} was rolled back: it waits for a new version`] : []),
        ]);
        if (remarks.length > 0) printLine(`\n${remarks.join('\n')}`);
        if (!config.feeds) printLine('\nGATEHOUSE_FEEDS is off: nothing is fetched.');
      }),
  );
}

function refresh(): Command {
  return command('refresh', 'Fetch feeds now: the named ones, or all enabled feeds.')
    .argument('[id...]', 'feeds')
    .option('--any-size', 'accept versions that are much larger or smaller than the last good one')
    .option(...COMPARE)
    .addHelpText('after', COMPARE_HELP)
    .action((ids: readonly string[], options: RefreshOptions) =>
      withFeeds(async ({ config, feeds, admin }) => {
        const named = ids.map((id) => findFeed(feeds, id));
        if (!config.feeds) {
          throw new Error('GATEHOUSE_FEEDS is off; `gatehouse intel import` imports feeds without fetching');
        }
        const chosen = named.length > 0 ? named : feeds.filter(({ enabled }) => enabled);
        const chosenIds = chosen.map(({ id }) => id);
        const anySize = options.anySize === true;
        const isLeftToService = options.compare === true;
        await recordCommand('refresh', chosenIds.join(', '), anySize ? 'any size' : '');
        const outcome = await admin.refresh(chosenIds, { anySize, isLeftToService });
        printReports(outcome, options, 'All feeds are disabled.', isLeftToService);
      }),
    );
}

function importFeeds(): Command {
  return command('import', 'Import feeds that another machine exported; the same checks apply to them.')
    .argument('<dir>', 'the folder')
    .option(...COMPARE)
    .addHelpText('after', COMPARE_HELP)
    .action((folder: string, options: ImportOptions) =>
      withFeeds(async ({ admin }) => {
        const isLeftToService = options.compare === true;
        await recordCommand('import', folder);
        const outcome = await admin.import(folder, { isLeftToService });
        printReports(outcome, options, 'The folder contains no feed.', isLeftToService);
      }),
    );
}

function exportFeeds(): Command {
  return command(
    'export',
    'Write the active feeds to a folder, for a machine that cannot reach the publishers.',
  )
    .argument('<dir>', 'the folder; created if it does not exist')
    .action((folder: string, options: OutputOptions) =>
      withFeeds(async ({ admin }) => {
        const rows = (await admin.export(folder)).map((entry) => ({ ...entry }));
        printMany(rows, options, 'No feed has been fetched yet: run `gatehouse intel refresh`.');
      }),
    );
}

function check(): Command {
  return command('check', 'Show every source that lists an IP, a domain or an email address, with its entry.')
    .argument('<what>', 'an IP address, a domain or an email address')
    .action((what: string, options: OutputOptions) =>
      withFeeds(async ({ config }) => {
        const { openIntel } = await import('../wiring/intel.ts');
        const snapshot = await openIntel(config, printProgress);
        const { query, listings } = checkText(snapshot, what);
        const rows = listings.map(({ source, fact, entry, version, effective, because, departed }) => ({
          source,
          fact,
          entry,
          version,
          holds: effective,
          because: because === '' ? null : because,
          departed,
        }));
        if (wantsJson(options)) printJson({ asked: query, snapshot: snapshot.id, listings: rows });
        else printMany(rows, options, `No list of snapshot ${snapshot.id} contains ${query}.`);
      }),
    );
}

function rollback(): Command {
  return command('rollback', 'Return a feed to its previous good version, until its publisher has a new one.')
    .argument('<id>', 'the feed')
    .action((name: string, options: OutputOptions) => decide(name, 'rollback', options));
}

function useUpdate(): Command {
  return command(
    'use',
    'Use the update of a feed that waits for you because it changes many verdicts. `keep` undoes it.',
  )
    .argument('<id>', 'the feed')
    .action((name: string, options: OutputOptions) => decide(name, 'use', options));
}

function keepVersion(): Command {
  return command(
    'keep',
    'Keep the version of a feed that is in use, and not the update that waits for you. `use` undoes it. The next version of the publisher is looked at again.',
  )
    .argument('<id>', 'the feed')
    .action((name: string, options: OutputOptions) => decide(name, 'keep', options));
}

/** Decides which version of a feed is used, and prints the feed. */
function decide(name: string, action: 'rollback' | 'use' | 'keep', options: OutputOptions): Promise<void> {
  return withFeeds(async ({ feeds, admin, status }) => {
    const { id } = findFeed(feeds, name);
    await recordCommand(action, id);
    const { publication } = await (action === 'rollback' ? admin.rollBack(id) : admin[action](id));
    printPublication(publication);
    const feed = (await status()).find((candidate) => candidate.id === id) as FeedStatus;
    const { last_refusal, review, ...row } = toRow(feed, Date.now());
    printOne(row, options);
  });
}

function reviewRemark(id: string, review: ReturnType<typeof toRow>['review']): string[] {
  if (review?.decision !== 'none') return [];
  const { version, judged, stricter, milder } = review;
  const changed = `${stricter} of ${judged} signups would get a stricter verdict, ${milder} a milder one`;
  return [
    `version ${version} of ${id} waits for you: ${changed}; \`gatehouse intel use ${id}\` or \`gatehouse intel keep ${id}\``,
  ];
}

function toRow({ refusal, review, ...feed }: FeedStatus, now: number) {
  return {
    id: feed.id,
    state: feed.condition,
    version: feed.version,
    fetched_at: toTime(feed.fetchedAt),
    confirmed_at: toTime(feed.seenAt),
    age_seconds: feed.seenAt === null ? null : Math.max(0, Math.round((now - feed.seenAt) / 1000)),
    entries: feed.version === null ? null : feed.entries,
    last_failure: feed.failure,
    last_refusal: refusal && { at: toTime(refusal.at), why: refusal.why, version: refusal.version },
    review: review && {
      version: review.version,
      at: toTime(review.at),
      judged: review.judged,
      stricter: review.stricter,
      milder: review.milder,
      decision: review.decision,
    },
    held: feed.held,
    licence: feed.licence,
    url: feed.url,
  };
}
