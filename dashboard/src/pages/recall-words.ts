/** Words for what a recall found: causes, and how the last run went. */
import type { RecallCauseRow, RecallReport } from '../../../src/contract/dashboard-recall.ts';
import { grouped, pluralize } from '../ui/format.ts';

const CAUSES: Readonly<Record<RecallCauseRow['cause'], (name: string) => string>> = {
  list: (name) => (name === '' ? 'An entry of your Block list that is gone' : `Your Block list: ${name}`),
  feed: (name) => `The source ${name}`,
  campaign: (name) => (name === '' ? 'A wave that is gone' : `W${name.replace(/^a w/, '')}`),
  label: () => 'A label that was taken back',
  policy: () => 'Your thresholds and weights',
  other: () => 'What was learned since',
};

export function causeWords({ cause, name }: Pick<RecallCauseRow, 'cause' | 'name'>): string {
  return CAUSES[cause](name);
}

/** One sentence on when recall runs, and what the last run read. */
export function runWords({ days, hour, state, run }: RecallReport, ended: string): string {
  if (days === null) return 'Recall is off in this installation.';
  const nightly = `It runs each night at ${hour}:00 for the last ${pluralize(days, 'day')}.`;
  if (state === 'running')
    return `A recall is under way: ${pluralize(run?.judged ?? 0, 'signup')} judged so far.`;
  if (state === 'waiting') return 'A recall begins within seconds.';
  if (run === null) return `No recall has been made yet. ${nightly}`;
  const more = run.partial ? ' There are more than one recall can take: the newest count.' : '';
  return `The last one ended ${ended} and judged ${grouped(run.judged)} signups again. ${nightly}${more}`;
}
