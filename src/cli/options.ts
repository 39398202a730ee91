/** Reads option values; a value that does not fit is wrong usage. */
import { InvalidArgumentError, Option } from 'commander';
import { PLAN_NAMES } from '../contract/plan-names.ts';
import type { Thresholds } from '../model/policy.ts';

const MAX_NAME = 100;
const MAX_QUOTA = 1_000_000_000_000;
const MAX_RPS = 100_000;

export const planOption = () =>
  new Option('--plan <plan>', 'the plan: rate limit and monthly quota').choices(PLAN_NAMES);

export const nameOption = () =>
  new Option('--name <name>', 'a name to recognise it by, up to 100 characters').argParser((text) => {
    const name = text.trim();
    if (name === '' || name.length > MAX_NAME || /\p{C}/u.test(name)) {
      throw new InvalidArgumentError(`It must have 1 to ${MAX_NAME} printable characters.`);
    }
    return name;
  });

export const quotaOption = () =>
  new Option('--monthly-quota <n>', 'assessments a month; “plan” for the plan’s own').argParser(
    wholeOrPlan(0, MAX_QUOTA),
  );

export const rpsOption = () =>
  new Option('--rps <n>', 'requests per second; “plan” for the plan’s own').argParser(
    wholeOrPlan(1, MAX_RPS),
  );

export const challengeOption = () =>
  new Option('--challenge <n>', 'lowest score that is challenged, 1 to 100').argParser(whole(1, 100));

export const blockOption = () =>
  new Option('--block <n>', 'lowest score that is blocked, 1 to 100').argParser(whole(1, 100));

/** A limit of the account's own, or the plan's. */
export type OwnLimit = number | 'plan';

/** As it is stored; `undefined` without the option. */
export function toStored(limit: OwnLimit | undefined): number | null | undefined {
  return limit === 'plan' ? null : limit;
}

export interface ThresholdOptions {
  readonly challenge?: number;
  readonly block?: number;
}

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

function wholeOrPlan(min: number, max: number) {
  const read = whole(min, max);
  return (text: string): OwnLimit => (text === 'plan' ? text : read(text));
}

function whole(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}
