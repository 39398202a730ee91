/** Decides what a verdict of another service means: by usual words, by a mapping, or by thresholds of its scores. */
import { InvalidArgumentError } from 'commander';
import { VERDICTS, type Verdict } from '../../contract/messages.ts';
import { splitAtEqualsSign } from '../signup-file/signup-columns.ts';

/** Scores from which on their service challenges and blocks. With `block` below `challenge`, lower scores are worse. */
export interface ScoreThresholds {
  readonly challenge: number;
  readonly block: number;
}

/** Verdicts of ours by their values in lower case. */
export type VerdictMap = ReadonlyMap<string, Verdict>;

/** Usual words of such services for each verdict. Words with several meanings (`unknown`, `true`) are not among them. */
const USUAL_WORDS: Readonly<Record<Verdict, readonly string[]>> = {
  allow:
    'allow allowed accept accepted approve approved pass passed ok good safe valid deliverable low real legit'.split(
      ' ',
    ),
  challenge: 'challenge challenged review manual_review verify flag flagged medium risky suspicious'.split(
    ' ',
  ),
  block:
    'block blocked deny denied decline declined reject rejected fail failed bad invalid undeliverable high fraud fake spam disposable'.split(
      ' ',
    ),
};

/** `their value=challenge`; may be repeated. */
export function parseMapping(text: string, before: VerdictMap = new Map()): VerdictMap {
  const [theirs = '', ours = ''] = splitAtEqualsSign(text);
  if (theirs === '' || !isVerdict(ours)) {
    throw new InvalidArgumentError('It must be like “their value=allow”, with allow, challenge or block.');
  }
  return new Map(before).set(theirs.toLowerCase(), ours);
}

/** `75,90`: challenged from 75, blocked from 90. */
export function parseScoreThresholds(text: string): ScoreThresholds {
  const [challenge = Number.NaN, block = Number.NaN, ...more] = text.split(',').map(toNumber);
  if (Number.isNaN(challenge) || Number.isNaN(block) || more.length > 0) {
    throw new InvalidArgumentError('It must be two numbers, CHALLENGE,BLOCK: 75,90.');
  }
  return { challenge, block };
}

/** Reader of their verdict as ours, or of why it is none. */
export function createReadVerdict(
  mapping: VerdictMap,
  thresholds: ScoreThresholds | undefined,
): (text: string) => Verdict | { readonly problem: string } {
  const words = new Map<string, Verdict>();
  for (const verdict of VERDICTS) for (const word of USUAL_WORDS[verdict]) words.set(word, verdict);
  for (const [value, verdict] of mapping) words.set(value, verdict);
  return (text) => {
    const known = words.get(text) ?? words.get(text.toLowerCase());
    if (known !== undefined) return known;
    const score = toNumber(text);
    if (Number.isNaN(score)) {
      return {
        problem:
          text === ''
            ? 'there is no verdict'
            : "the verdict is unknown: say what it means with --map 'VALUE=allow|challenge|block'",
      };
    }
    if (thresholds !== undefined) return verdictOfScore(score, thresholds);
    return {
      problem: 'the verdict is a number: say what it means with --threshold-for-scores CHALLENGE,BLOCK',
    };
  };
}

function verdictOfScore(score: number, { challenge, block }: ScoreThresholds): Verdict {
  const sign = block < challenge ? -1 : 1;
  if (score * sign >= block * sign) return 'block';
  return score * sign >= challenge * sign ? 'challenge' : 'allow';
}

/** `NaN` for an empty text, too. */
function toNumber(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

function isVerdict(text: string): text is Verdict {
  return (VERDICTS as readonly string[]).includes(text);
}
