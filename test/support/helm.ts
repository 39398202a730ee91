/** Renders our Helm chart as an installation would, by helm itself. Tests that call it are skipped where helm is missing. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { ROOT, type Tree } from './deployment.ts';

const CHART = join(ROOT, 'deploy/helm/gatehouse');
const SOURCE = /^# Source: gatehouse\/templates\/(\S+)$/m;

/** The manifests of a release by their file in the chart. @throws with what helm says of values that it refuses */
export function renderChart(release: string, values: object): Map<string, Tree> {
  const command = ['template', release, CHART, '--namespace', 'signups', '--values', '-'];
  const text = execFileSync('helm', command, {
    input: JSON.stringify(values),
    encoding: 'utf8',
    stdio: 'pipe',
  });
  const manifests = text.split(/^---\n/m).filter((part) => SOURCE.test(part));
  return new Map(
    manifests.map((part) => [SOURCE.exec(part)?.[1] as string, parseAllDocuments(part)[0]?.toJS() as Tree]),
  );
}
