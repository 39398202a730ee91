import { expect, it } from 'vitest';
import { createFailureReport, explainFailure } from './failure-report.ts';

const WRONG = 'WRONGPASS invalid username-password pair or user is disabled.';
const NONE = 'NOAUTH Authentication required.';

function start() {
  const reports: string[] = [];
  const report = createFailureReport({
    onDegraded: (degraded, why) => reports.push(`${degraded ? 'degraded' : 'well'}: ${why}`),
    onFurtherReason: (why) => reports.push(why),
  });
  return { reports, report };
}

it('reports each further reason once, although they alternate', () => {
  const { reports, report } = start();
  report.note('Connection is closed.');
  report.reportChange(true);
  for (const message of [WRONG, NONE, WRONG, NONE, WRONG, NONE]) {
    report.note(message);
    report.reportFurtherReason();
  }
  expect(reports).toEqual(['degraded: the connection was lost', WRONG, NONE]);
});

it('does not report a reason that occurred only for a moment, or before the servers recovered', () => {
  const { reports, report } = start();
  report.note('Connection is closed.');
  report.reportChange(true);
  report.note('LOADING the dataset in memory');
  report.reportFurtherReason();
  report.clear();
  report.reportChange(false);
  report.reportFurtherReason();
  report.note('Connection is closed.');
  report.reportChange(true);
  report.note('LOADING the dataset in memory');
  report.reportFurtherReason();
  expect(reports.filter((text) => text.includes('LOADING'))).toEqual([]);
});

it.each([
  ["Stream isn't writeable and enableOfflineQueue options is false", 'the connection was lost'],
  ["Cluster isn't ready and enableOfflineQueue options is false", 'no node of the cluster answers'],
  ['Command timed out', 'the server does not answer in time'],
  ['', 'the server does not answer'],
  ['LOADING Redis is loading the dataset in memory', 'LOADING Redis is loading the dataset in memory'],
])('says %j in plain words', (message, why) => {
  expect(explainFailure(message).why).toBe(why);
});
