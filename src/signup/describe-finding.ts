/** Says a finding in one sentence, from the evidence that it is about. */
import type { Evidence } from '../model/evidence.ts';
import type { DescribedFinding, Finding } from '../model/finding.ts';
import type { ListMatch } from '../model/list-entry.ts';
import { RULES } from './policy.ts';

const DETAILS = new Map(RULES.map(({ detector, detail }) => [detector, detail]));

export function describeFindings<Code extends string | null>(
  findings: readonly Finding<Code>[],
  evidence: Evidence,
): DescribedFinding<Code>[] {
  return findings.map((finding) => ({ ...finding, detail: describeFinding(finding, evidence) }));
}

/** A detector of another version of Gatehouse, which this one lacks, is named only. */
function describeFinding({ detector }: Pick<Finding, 'detector'>, evidence: Evidence): string {
  const { list } = evidence;
  if (detector === 'deny_list' && list !== null) return describeListed(list);
  if (detector === 'sandbox') return 'sandbox fixture';
  return DETAILS.get(detector)?.(evidence) ?? detector.replaceAll('_', ' ');
}

function describeListed({ kind, value, reason }: ListMatch): string {
  return `${kind === 'mailbox' ? 'the mailbox ' : ''}${value} is on the account’s Block list${reason === null ? '' : `: ${reason}`}`;
}
