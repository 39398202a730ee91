/** gatehouse assess: one assessment at the terminal, without a server; nothing is stored or charged. */
import type { Command } from 'commander';
import { type Config, readConfig } from '../config/config.ts';
import { REASONS } from '../contract/reasons.ts';
import { printable } from '../platform/printable.ts';
import type { TerminalAssessment } from '../wiring/terminal.ts';
import { hasInstallation } from './has-installation.ts';
import { command } from './options.ts';
import { type OutputOptions, printJson, printLine, wantsJson } from './output.ts';

interface AssessOptions extends OutputOptions {
  readonly ip?: string;
  readonly explain?: true;
}

export function assess(): Command {
  return command(
    'assess',
    'Assess one signup now, with the default thresholds and without own lists; nothing is stored.',
  )
    .argument('<email>', 'the email address of the signup')
    .option('--ip <ip>', 'the visitor’s IP address')
    .option('--explain', 'show each finding with its weight and detail')
    .action(async (email: string, options: AssessOptions) => {
      const [{ wireTerminal }, { refuseNewer }] = await Promise.all([
        import('../wiring/terminal.ts'),
        import('../operate/newer-data.ts'),
      ]);
      const config = readConfig();
      if (config.databaseUrl === null && !hasInstallation(config))
        process.stderr.write(printable(bundledOnly(config)));
      await refuseNewer(config);
      const terminal = await wireTerminal(config);
      try {
        const answer = await terminal.assess({ email, ip: options.ip ?? null });
        if (wantsJson(options)) printJson(toJson(answer, options));
        else printAnswer(answer, options);
      } finally {
        void terminal.close();
      }
    });
}

/** Nothing is stored, so there is something to see without an installation, too; but the service knows more. */
function bundledOnly({ dataDir }: Config): string {
  return `gatehouse: there is no installation in ${dataDir} (GATEHOUSE_DATA_DIR): assessed with the bundled data only\n`;
}

function toJson(
  { ipStatus, judgement, findings, signals, evidence }: TerminalAssessment,
  { explain }: AssessOptions,
) {
  const { verdict, score, reasons } = judgement;
  return {
    verdict,
    score,
    reasons: reasons.map((code) => ({ code, signal: REASONS[code].signal })),
    signals,
    ip_provided: evidence.ip !== null,
    ip_status: ipStatus,
    ...(explain === true ? { findings, hits: [...evidence.email.hits, ...(evidence.ip?.hits ?? [])] } : {}),
  };
}

function printAnswer(
  { ipStatus, judgement, findings, evidence }: TerminalAssessment,
  { explain }: AssessOptions,
): void {
  const { verdict, score, reasons } = judgement;
  printLine(`${verdict}  score ${score}  ${reasons.join(', ')}`.trimEnd());
  if (explain !== true) return;
  printLine('');
  for (const { weight, detector, detail } of findings) {
    printLine(`  ${weight.toFixed(1).padStart(5)}  ${detector.padEnd(18)}  ${detail}`);
  }
  if (findings.length === 0) printLine('  No findings.');
  for (const { fact, source, entry } of [...evidence.email.hits, ...(evidence.ip?.hits ?? [])]) {
    printLine(`         ${fact}: ${entry} in ${source}`);
  }
  const unknown = unknowns(ipStatus, evidence);
  if (unknown.length > 0) printLine(`\n  Unknown: ${unknown.join('; ')}`);
}

function unknowns(ipStatus: string, { email }: TerminalAssessment['evidence']): string[] {
  return [
    ...(email.mx.status === 'unknown' ? ['mail exchange (DNS did not answer, or is known to be wrong)'] : []),
    ...(email.age.days < 0 ? [`domain age (${email.age.status})`] : []),
    ...(ipStatus === 'ok' ? [] : [`IP (${ipStatus})`]),
  ];
}
