/** The options of gatehouse mirror, and the help that teaches them. */
import { InvalidArgumentError, Option } from 'commander';
import type { Weights } from '../model/policy.ts';
import {
  parseMapping,
  parseScoreThresholds,
  type ScoreThresholds,
  type VerdictMap,
} from '../operate/mirror/mirror-verdict.ts';
import {
  createParseColumns,
  JUDGED_PARTS,
  type NamedColumns,
  splitAtEqualsSign,
} from '../operate/signup-file/signup-columns.ts';
import { type ThresholdOptions, thresholdOptions, wholeNumber } from './options.ts';
import type { OutputOptions } from './output.ts';

export interface MirrorCommandOptions extends OutputOptions, ThresholdOptions {
  readonly columns?: NamedColumns;
  readonly map?: VerdictMap;
  readonly thresholdForScores?: ScoreThresholds;
  readonly account?: string;
  readonly weight?: Weights;
  readonly dns?: true;
  readonly groups: number;
  readonly showAddresses?: true;
  readonly out?: string;
  readonly decisions?: string;
}

const MAX_GROUPS = 1000;

export const mirrorOptions = () => [
  new Option('--columns <names>', 'email=…,ip=…,time=…,verdict=…, where they have unusual names').argParser(
    createParseColumns(JUDGED_PARTS),
  ),
  new Option(
    '--map <value=verdict>',
    'what one of their values means: allow, challenge or block; repeat it for each value',
  ).argParser(parseMapping),
  new Option(
    '--threshold-for-scores <challenge,block>',
    'their verdict is a score: they challenge from the first number, block from the second, which is smaller if low scores are bad',
  ).argParser(parseScoreThresholds),
  new Option('--account <id>', 'use its own lists, weights and thresholds'),
  ...thresholdOptions(),
  new Option(
    '--weight <detector=points>',
    'what a detector weighs, 0 to 100; 0 leaves it out; repeat it for each detector',
  ).argParser(parseWeight),
  new Option('--dns', 'look up the mail servers of every domain in DNS, as they are today'),
  new Option('--groups <n>', 'groups of disagreement to show')
    .argParser(wholeNumber(0, MAX_GROUPS))
    .default(10),
  new Option('--show-addresses', 'show full addresses; they are masked otherwise'),
  new Option('--out <file>', 'write every disagreement to this CSV file'),
  new Option('--decisions <file>', 'write what was decided of every signup to this CSV file'),
];

/** `detector=points`; may be repeated. */
function parseWeight(text: string, before: Weights = {}): Weights {
  const [detector = '', points = ''] = splitAtEqualsSign(text);
  if (detector === '' || !/^\d{1,3}$/.test(points) || Number(points) > 100) {
    throw new InvalidArgumentError('It must be like hosting=10, with a whole number from 0 to 100.');
  }
  return { ...before, [detector]: Number(points) };
}

export const MIRROR_HELP = `
The first line of a CSV names its columns: an address and their verdict, and the IP and the time if there are any.
Separators , ; | and tab are recognised. Times are ISO 8601 (UTC where no zone is named), or seconds or milliseconds since 1970.

Example: signups.csv
  Email,Client IP,Created at,Decision
  ann@example.com,198.51.100.7,2026-03-01T09:30:00Z,approve
  bob@mailinator.com,203.0.113.9,2026-03-01T09:31:10Z,manual review

  gatehouse mirror signups.csv --map 'manual review=challenge'
  gatehouse mirror scores.csv --columns email=Mail,verdict=fraud_score --threshold-for-scores 75,90
  gatehouse mirror signups.csv --account acc_… --out disagreements.csv
  tail -f signups.jsonl | gatehouse mirror -        # Ctrl-C prints the result

Each signup is judged by the feeds and lists of today, with bursts counted as of its time. Domain ages, mail hosts and
reputation services are not asked: what they say today may not have been true then. Nothing is stored or charged.
How the fields of other services map to ours: docs/migrating.md.`;
