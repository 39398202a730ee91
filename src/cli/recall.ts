/** gatehouse recall: judges past signups again with what is known now, and shows who would not come in. */
import { type Command, InvalidArgumentError } from 'commander';
import { RECALL_CAUSES, type RecallCause } from '../model/recall.ts';
import { MAX_RECALLED } from '../signup/recall/recall-run.ts';
import { describeCause } from '../signup/recall/recall-words.ts';
import type { RecalledSignup, RecallFilter, RecallRun } from '../store/recall-store.ts';
import { auditOf, findAccount, withStore } from './installation.ts';
import { command, group } from './options.ts';
import { type OutputOptions, printMany, printOne, toTime } from './output.ts';

interface RecallOptions extends OutputOptions {
  readonly account: string;
}

interface ListOptions extends RecallOptions {
  readonly verdict?: 'block' | 'challenge';
  readonly cause?: Pick<RecallFilter, 'cause' | 'causeId'>;
}

const ACCOUNT = 'the account’s id';
const VERDICTS = ['block', 'challenge'] as const;
const HELP = `
The service judges past signups again each night, with today's lists, feeds, waves and labels, and lists those that got
in before and would be stopped now. It changes nothing by itself.

  gatehouse account list
  gatehouse recall run --account acc_…                            a running service begins within seconds
  gatehouse recall show --account acc_…                           how far it is, and how many it found
  gatehouse recall list --account acc_… --cause feed:tor-exits    who, with the old and the new verdict
  gatehouse recall list --account acc_… --verdict block --json    the same for programs
  gatehouse recall dismiss --account acc_…                        there is nothing to do about them

What is judged again, and what stays as it was: docs/recall.md.`;

export function recall(): Command {
  return group('recall', 'Judge past signups again with what is known now, and show who would not come in.', [
    run(),
    show(),
    list(),
    dismiss(),
  ]).addHelpText('after', HELP);
}

function run(): Command {
  return command('run', 'Ask the running service to judge the past signups of an account again, now.')
    .requiredOption('--account <id>', ACCOUNT)
    .action(async ({ account, ...output }: RecallOptions) => {
      const { readConfig } = await import('../config/config.ts');
      if (readConfig().recallDays === null)
        throw new Error('GATEHOUSE_RECALL_DAYS is off: nothing is judged again');
      await withStore(async (store) => {
        await findAccount(store, account);
        await store.requestRecall(account, Date.now(), auditOf(account)('recall.request', '', ''));
        printOne(toRow(await store.recallRun(account)), output);
      });
    });
}

function show(): Command {
  return command('show', 'Show the last run, and how many signups would not come in now, by cause.')
    .requiredOption('--account <id>', ACCOUNT)
    .action(async ({ account, ...output }: RecallOptions) => {
      await withStore(async (store) => {
        await findAccount(store, account);
        const counts = await store.recallCounts(account);
        const numberOf = (verdict: string) =>
          counts.reduce((sum, { newVerdict, count }) => sum + (newVerdict === verdict ? count : 0), 0);
        const causes = counts.map(
          ({ count, newVerdict, ...cause }) => `${count} ${newVerdict} by ${describeCause(cause)}`,
        );
        const row = {
          ...toRow(await store.recallRun(account)),
          block: numberOf('block'),
          challenge: numberOf('challenge'),
        };
        printOne({ ...row, causes: causes.join(', ') }, output);
      });
    });
}

function list(): Command {
  return command('list', 'List those who got in before and would not come in now, newest first.')
    .requiredOption('--account <id>', ACCOUNT)
    .option('--verdict <verdict>', 'those who would get this verdict: block or challenge', readVerdict)
    .option(
      '--cause <cause>',
      `those with this cause: ${RECALL_CAUSES.join(', ')}, or one source, entry or wave such as feed:tor-exits`,
      readCause,
    )
    .action(async ({ account, verdict, cause, ...output }: ListOptions) => {
      const filter = { ...cause, ...(verdict !== undefined && { newVerdict: verdict }) };
      const found = await withStore(async (store) => {
        await findAccount(store, account);
        return store.recalledSignups(account, filter, MAX_RECALLED);
      });
      printMany(found.map(toListRow), output, 'Nobody: all who got in would come in again.');
    });
}

function dismiss(): Command {
  return command(
    'dismiss',
    'Say that there is nothing to do about those that are listed now. They are listed again only if they would get a stricter verdict.',
  )
    .requiredOption('--account <id>', ACCOUNT)
    .action(async ({ account, ...output }: RecallOptions) => {
      const dismissed = await withStore(async (store) => {
        await findAccount(store, account);
        return store.dismissRecalled(account, Date.now(), auditOf(account)('recall.dismiss', '', ''));
      });
      printOne({ dismissed }, output);
    });
}

function readVerdict(text: string): 'block' | 'challenge' {
  const found = VERDICTS.find((verdict) => verdict === text);
  if (found === undefined) throw new InvalidArgumentError('it is block or challenge');
  return found;
}

function readCause(text: string): Pick<RecallFilter, 'cause' | 'causeId'> {
  const [name, ...rest] = text.split(':');
  const cause = RECALL_CAUSES.find((known): known is RecallCause => known === name);
  if (cause === undefined)
    throw new InvalidArgumentError(`it begins with one of ${RECALL_CAUSES.join(', ')}`);
  return rest.length === 0 ? { cause } : { cause, causeId: rest.join(':') };
}

function toRow(run: RecallRun | undefined) {
  const hasRun = run !== undefined && run.id !== '';
  return {
    state: stateOf(run),
    began_at: hasRun ? toTime(run.beganAt) : null,
    ended_at: hasRun ? toTime(run.endedAt) : null,
    signups_since: hasRun ? toTime(run.since) : null,
    judged: hasRun ? run.judged : 0,
    partial: hasRun && run.isPartial,
  };
}

function stateOf(run: RecallRun | undefined): 'running' | 'requested' | 'never' | 'ended' {
  if (run?.endedAt === null) return 'running';
  if (run !== undefined && run.requestedAt !== null) return 'requested';
  return run === undefined || run.id === '' ? 'never' : 'ended';
}

function toListRow(signup: RecalledSignup) {
  return {
    request_id: signup.requestId,
    at: toTime(signup.at),
    old_verdict: signup.oldVerdict,
    new_verdict: signup.newVerdict,
    new_score: signup.newScore,
    cause: signup.cause,
    cause_id: signup.causeId === '' ? null : signup.causeId,
    finding: signup.finding,
  };
}
