/** Makes commands and groups, and the options that several commands have; a value that does not fit is wrong usage. */
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Thresholds } from '../model/policy.ts';

const JSON_HELP = 'print JSON; also the default if the output is not a terminal';
const TEXT_HELP = 'print text for people, also if the output is not a terminal';

/** A command with `options`, and with `--json` and `--text`, which every command has. */
export function command(
  name: string,
  description: string,
  options: readonly Option[] = [],
  jsonHelp = JSON_HELP,
  textHelp = TEXT_HELP,
): Command {
  const made = new Command(name).description(description).option('--json', jsonHelp);
  made.addOption(new Option('--text', textHelp).conflicts('json'));
  for (const option of options) made.addOption(option);
  return made;
}

export function group(name: string, description: string, commands: readonly Command[]): Command {
  const made = new Command(name).description(description);
  for (const child of commands) made.addCommand(child);
  return made;
}

export const nameOption = () => textOption('--name <name>', 'a name to recognise it by', 100);

/** A text for people in one line. */
export function textOption(flags: string, description: string, maxLength: number): Option {
  return new Option(flags, `${description}, up to ${maxLength} characters`).argParser((value) => {
    const text = value.trim();
    if (text === '' || text.length > maxLength || /\p{C}/u.test(text)) {
      throw new InvalidArgumentError(`It must have 1 to ${maxLength} printable characters.`);
    }
    return text;
  });
}

export interface ThresholdOptions {
  readonly challenge?: number;
  readonly block?: number;
}

export const thresholdOptions = () => [
  new Option('--challenge <n>', 'lowest score that is challenged, 1 to 100').argParser(wholeNumber(1, 100)),
  new Option('--block <n>', 'lowest score that is blocked, 1 to 100').argParser(wholeNumber(1, 100)),
];

/** The thresholds from the options, if there are any; a missing one is taken from `current`. */
export function thresholdsFrom(
  { challenge, block }: ThresholdOptions,
  current: Thresholds,
): Thresholds | undefined {
  if (challenge === undefined && block === undefined) return undefined;
  const thresholds = { challenge: challenge ?? current.challenge, block: block ?? current.block };
  if (thresholds.challenge > thresholds.block) {
    throw new Error(`--challenge ${thresholds.challenge} must not be above --block ${thresholds.block}`);
  }
  return thresholds;
}

export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}
