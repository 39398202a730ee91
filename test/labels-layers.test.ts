/** Labels of good customers are never shown without labels of fraud: one alone always argues for the same decision. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCE = resolve(import.meta.dirname, '../dashboard/src');
const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .sort();

/** Names of members and words on pages that speak of good customers, and those that speak of fraud. */
const GOOD = /\b(?:good_\w+|false_positives?|helped|harmed)\b|\bgood customers?\b|(?<=['"])good(?=['"])/i;
const FRAUD = /\bfraud(?:_\w+)?\b|\bfalse_negatives?\b|\bconfirmed_fraud\b/i;
/** The cause of an end of a wave, of which no label is shown. */
const WITHOUT_LABELS = ['pages/campaigns-words.ts'];
/** Comments are not shown. */
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"])\/\/.*$/gm;

function isOneSided(source: string): boolean {
  const code = source.replace(COMMENT, '');
  return GOOD.test(code) && !FRAUD.test(code);
}

describe('the sources of the dashboard', () => {
  it('show labels of fraud in each file that shows labels of good customers', () => {
    const sources = FILES.filter((file) => !WITHOUT_LABELS.includes(file)).map((file) => ({
      file,
      source: readFileSync(join(SOURCE, file), 'utf8'),
    }));
    expect(sources.filter(({ source }) => isOneSided(source)).map(({ file }) => file)).toEqual([]);
    expect(sources.filter(({ source }) => GOOD.test(source)).length).toBeGreaterThan(8);
  });

  it.each([
    'const { good_stopped: good } = report;',
    '<p>{grouped(count)} good customers stopped</p>',
    "labels.filter(({ feedback }) => feedback === 'false_positive')",
    "<LabelMark kind='good' />",
    '/** Fraud is said elsewhere. */ <li>{effect.helped} helped</li>',
  ])('would be refused: %s', (source) => {
    expect(isOneSided(source)).toBe(true);
  });

  it.each([
    '<p>{good} good customers and {fraud} frauds</p>',
    "const OUTCOMES = ['false_positive', 'false_negative'];",
    '<p>A good time to look.</p>',
  ])('may say %s', (source) => {
    expect(isOneSided(source)).toBe(false);
  });
});
