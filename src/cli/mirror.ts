/** gatehouse mirror: replays the past signups of another service, and shows where its verdicts and ours differ. */
import type { Command } from 'commander';
import { readConfig } from '../config/config.ts';
import type { MirrorRules } from '../operate/mirror/mirror.ts';
import { openDecisions } from '../operate/mirror/mirror-decisions.ts';
import { openDisagreements } from '../operate/mirror/mirror-disagreements.ts';
import { type MirrorReport, toReportJson } from '../operate/mirror/mirror-report.ts';
import { toReportLines, toTotals } from '../operate/mirror/mirror-report-text.ts';
import { createMirrorRun, type MirrorExample, type MirrorRun } from '../operate/mirror/mirror-run.ts';
import { createReadVerdict } from '../operate/mirror/mirror-verdict.ts';
import { createChosenColumns, JUDGED_PARTS } from '../operate/signup-file/signup-columns.ts';
import { openSignups, type SignupSource } from '../operate/signup-file/signup-source.ts';
import { findAccount, withStore } from './installation.ts';
import { MIRROR_HELP, type MirrorCommandOptions, mirrorOptions } from './mirror-options.ts';
import { command, thresholdsFrom } from './options.ts';
import { printJson, printLine, wantsJson } from './output.ts';
import { createProgressLine } from './progress-line.ts';

export function mirror(): Command {
  return command(
    'mirror',
    'Compare with another service: replay your past signups here, and show where the verdicts differ.',
    mirrorOptions(),
  )
    .argument('<file>', 'CSV or JSON lines; - follows the standard input')
    .addHelpText('after', MIRROR_HELP)
    .action((file: string, options: MirrorCommandOptions) => compare(file, options));
}

async function compare(file: string, options: MirrorCommandOptions): Promise<void> {
  const [{ openMirror }, { refuseNewer }] = await Promise.all([
    import('../operate/mirror/mirror.ts'),
    import('../operate/newer-data.ts'),
  ]);
  const config = readConfig();
  await refuseNewer(config);
  const rules = await rulesFor(options);
  const line = createProgressLine(process.stderr);
  const columns = createChosenColumns(options.columns ?? {}, JUDGED_PARTS);
  const started = performance.now();
  const source = await openSignups(file, columns.choose, (text) => line.show(() => text));
  const compared = await openMirror<MirrorExample>(config, {
    rules,
    dns: options.dns === true,
  });
  const files = [
    openDisagreements(options.out, options.showAddresses === true),
    openDecisions(options.decisions, options.showAddresses === true),
  ];
  const { agreement } = compared;
  const run = createMirrorRun({
    ...compared,
    readVerdict: createReadVerdict(options.map ?? new Map(), options.thresholdForScores),
    order: source.order,
    showAddresses: options.showAddresses === true,
    onJudged(row) {
      for (const file of files) file.write(row);
    },
    clock: Date.now,
  });
  try {
    await replayAll(source, run, async () => {
      line.show(
        () =>
          `${progressOf(source)}${toTotals({ read: run.read, compared: agreement.compared, agreed: agreement.agreed })}`,
      );
      for (const file of files) await file.drain();
    });
  } finally {
    line.end();
    compared.close();
    for (const file of files) await file.close();
  }
  print(
    {
      rows: run.read,
      columns: columns.chosen(),
      compared: agreement.compared,
      agreed: agreement.agreed,
      matrix: agreement.matrix(),
      groups: agreement.groups(options.groups),
      unused: run.unused(),
      late: run.late,
      sorted: source.order === 'sorted',
      untimed: run.untimed,
      notChecked: compared.notChecked,
      snapshot: compared.snapshot,
      account: rules.account,
      policy: rules.policy,
      weights: options.weight ?? {},
      seconds: (performance.now() - started) / 1000,
    },
    options,
  );
}

/** The installation is read once, before the first signup, and not opened again. */
async function rulesFor(options: MirrorCommandOptions): Promise<MirrorRules> {
  const { defaultRules, readRules, withWeights } = await import('../operate/mirror/mirror.ts');
  const { account } = options;
  const rules =
    account === undefined
      ? defaultRules()
      : await withStore(async (store, addressHashes) =>
          readRules(store, addressHashes, await findAccount(store, account)),
        );
  const thresholds = thresholdsFrom(options, rules.policy.thresholds) ?? rules.policy.thresholds;
  return withWeights({ ...rules, policy: { ...rules.policy, thresholds } }, options.weight ?? {});
}

/** Replays signups until their end, or the first signal; a second signal ends the process. */
async function replayAll(source: SignupSource, run: MirrorRun, onBatch: () => Promise<void>): Promise<void> {
  let stopped = false;
  const stop = () => {
    stopped = true;
    source.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  try {
    for await (const batch of source.batches) {
      await run.replay(batch);
      await onBatch();
      if (stopped) break;
    }
  } catch (error) {
    if (!stopped) throw error;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  }
  await run.finish();
}

function progressOf(source: SignupSource): string {
  const progress = source.progress();
  return progress === undefined ? '' : `${Math.floor(100 * progress)}%: `;
}

/** @throws when no row could be used */
function print(report: MirrorReport, options: MirrorCommandOptions): void {
  const [problem] = report.unused;
  if (report.rows === 0) throw new Error('there are no signups to compare');
  if (report.compared === 0 && problem !== undefined) {
    const at = problem.first.map(({ line }) => line).join(', ');
    throw new Error(`none of ${report.rows} rows could be used: ${problem.problem} (line ${at})`);
  }
  if (wantsJson(options)) printJson(toReportJson(report));
  else for (const text of toReportLines(report)) printLine(text);
}
