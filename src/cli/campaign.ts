/** gatehouse campaign: shows the waves of signups of an account, and decides about them. */
import type { Command } from 'commander';
import { decideCampaign } from '../accounts/campaign-admin.ts';
import { type Campaign, type CampaignAction, isSure } from '../model/campaign.ts';
import { describeCampaign, oddsOf } from '../signup/wave-words.ts';
import type { Store } from '../store/store.ts';
import { auditOf, commandLineUser, findAccount, withStore } from './installation.ts';
import { command, group, textOption } from './options.ts';
import { type OutputOptions, printMany, printOne, toTime } from './output.ts';

interface CampaignOptions extends OutputOptions {
  readonly account: string;
}

interface ListOptions extends CampaignOptions {
  readonly all?: true;
}

interface DecideOptions extends CampaignOptions {
  readonly note: string;
}

const MAX_TEXT = 200;
const PER_PAGE = 200;
const ACCOUNT = 'the account’s id';
const HELP = `
A wave is many signups by one hand. The next members of an open one are challenged, or blocked once it is sure.

  gatehouse account list
  gatehouse campaign list --account acc_…
  gatehouse campaign show cmp_… --account acc_…
  gatehouse campaign dismiss cmp_… --account acc_… --note "our summer school"

What each figure and decision means: docs/campaigns.md.`;

export function campaign(): Command {
  return group('campaign', 'Show the waves of signups that were found, and decide about them.', [
    list(),
    show(),
    decide('end', 'End a wave: its next members are judged like everybody else.'),
    decide('confirm', 'Say that a wave is an attack: its next members are blocked.'),
    decide('dismiss', 'Say that these are your people: the wave ends, and does not open again.'),
    decide('reopen', 'Take a decision or an end back.'),
  ]).addHelpText('after', HELP);
}

function list(): Command {
  return command('list', 'List open waves, newest first.')
    .requiredOption('--account <id>', ACCOUNT)
    .option('--all', 'ended ones, too')
    .action(async (options: ListOptions) => {
      const campaigns = await withStore(async (store) => {
        await findAccount(store, options.account);
        return readAll(store, options);
      });
      const rows = campaigns.map(toListRow);
      printMany(rows, options, `No ${options.all === true ? '' : 'open '}waves of signups.`);
    });
}

async function readAll(store: Store, { account, all }: ListOptions): Promise<Campaign[]> {
  const found: Campaign[] = [];
  const state = all === true ? undefined : 'open';
  let after: string | null = null;
  do {
    const page = await store.campaigns(account, { state, after, limit: PER_PAGE });
    found.push(...page.campaigns);
    after = page.next;
  } while (after !== null);
  return found;
}

function show(): Command {
  return command('show', 'Show a wave: what its members share, how many they are, what was decided.')
    .argument('<campaign>', 'the wave’s id')
    .requiredOption('--account <id>', ACCOUNT)
    .action(async (id: string, options: CampaignOptions) => {
      const found = await withStore(async (store) => {
        await findAccount(store, options.account);
        return store.findCampaign(options.account, id);
      });
      if (found === undefined) throw unknown(id);
      printOne(toRow(found), options);
    });
}

function decide(action: CampaignAction, description: string): Command {
  return command(action, `${description} A running service follows within a second.`)
    .argument('<campaign>', 'the wave’s id')
    .requiredOption('--account <id>', ACCOUNT)
    .addOption(textOption('--note <text>', 'why, for people', MAX_TEXT).default(''))
    .action(async (id: string, options: DecideOptions) => {
      const result = await withStore(async (store) => {
        const { id: accountId } = await findAccount(store, options.account);
        const decision = { action, by: commandLineUser(), note: options.note, at: Date.now() };
        return decideCampaign(store, accountId, id, decision, auditOf(accountId));
      });
      if (result.outcome === 'unknown') throw unknown(id);
      if (result.outcome === 'blocked')
        throw new Error(
          'another wave with the same scope and mark is open: decide about that one, or end it',
        );
      printOne(toRow(result.campaign), options);
    });
}

const unknown = (id: string) =>
  new Error(`no wave ${id}; \`gatehouse campaign list --account ID --all\` shows them`);

function toListRow(each: Campaign) {
  const { id, state, members, stopped, lastAt, decision } = each;
  return {
    id,
    state,
    sure: isSure(each),
    decision: decision === '' ? null : decision,
    members,
    stopped,
    last_at: toTime(lastAt),
    summary: describeCampaign(each),
  };
}

function toRow(each: Campaign) {
  const { ended, decidedAt } = each;
  return {
    ...toListRow(each),
    scope: each.scope,
    place: each.scopeText,
    mark: each.mark,
    mark_text: each.markText,
    let_in: each.letIn,
    usual: each.usual,
    decades: each.decades,
    odds: oddsOf(each.decades),
    families: each.families.join(', '),
    networks: each.networks,
    hosting: each.hosting,
    good_reports: each.goodReports,
    fraud_reports: each.fraudReports,
    verified: each.verified,
    bounced: each.bounced,
    since: toTime(each.since),
    opened_at: toTime(each.openedAt),
    ended_at: toTime(ended?.at ?? null),
    ended_by: ended?.by || null,
    ended_reason: ended?.reason ?? null,
    decided_at: toTime(decidedAt),
    decided_by: each.decidedBy || null,
    note: each.decidedNote || null,
  };
}
