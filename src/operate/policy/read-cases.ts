/** Reads cases: signups that must get a verdict, in a policy file or in a file of their own. */
import { parseEmail } from '../../address/email.ts';
import { readIp } from '../../address/ip.ts';
import { VERDICTS, type Verdict } from '../../contract/messages.ts';
import { BROUGHT_BY } from '../../model/signup-attempt.ts';
import { NO_EVIDENCE, readCaseEvidence } from './case-evidence.ts';
import { POLICY_VERSION, type PolicyCase } from './policy-file.ts';
import { parseYaml, type YamlPlace } from './yaml-place.ts';

/** @param file name for errors @throws Error of one line */
export function readCasesText(file: string, text: string): PolicyCase[] {
  const members = parseYaml(file, text).members('a file of cases', ['version', 'cases']);
  const version = members.get('version');
  if (version !== undefined && version.number('version', 1, Number.MAX_SAFE_INTEGER) !== POLICY_VERSION)
    version.fail(`version must be ${POLICY_VERSION}, the only one that this Gatehouse knows.`);
  return readCases(members.get('cases'));
}

export function readCases(at: YamlPlace | undefined): PolicyCase[] {
  return (at?.items('cases') ?? []).map(readCase);
}

function readCase(item: YamlPlace): PolicyCase {
  const members = item.members('a case', [
    'name',
    'account',
    'key',
    'email',
    'ip',
    'brought_by',
    'evidence',
    'expect',
  ]);
  const email = members.get('email') ?? item.fail('a case needs email.');
  const expected = members.get('expect') ?? item.fail('a case needs expect: allow, challenge or block.');
  const ip = members.get('ip');
  const evidence = members.get('evidence');
  const [account, key] = [members.get('account')?.text('account'), members.get('key')?.text('key')];
  const address = readAddress(email);
  return {
    place: item.place,
    name: members.get('name')?.text('name') ?? address,
    ...(account !== undefined && { account }),
    ...(key !== undefined && { key }),
    email: address,
    ip: ip === undefined ? null : readVisitorIp(ip),
    broughtBy: readBroughtBy(members.get('brought_by')),
    evidence: evidence === undefined ? NO_EVIDENCE : readCaseEvidence(evidence, ip !== undefined),
    expected: readVerdicts(expected),
  };
}

function readAddress(at: YamlPlace): string {
  const text = at.text('email', 320);
  return parseEmail(text) === undefined ? at.fail(`${text} is not an email address.`) : text;
}

function readVisitorIp(at: YamlPlace): string {
  const text = at.text('ip');
  return readIp(text).status === 'ok' ? text : at.fail(`${text} is not a public IP address.`);
}

function readBroughtBy(at: YamlPlace | undefined): PolicyCase['broughtBy'] {
  if (at === undefined) return null;
  const text = at.text('brought_by');
  return BROUGHT_BY.find((each) => each === text) ?? at.fail(`brought_by must be ${BROUGHT_BY.join(', ')}.`);
}

/** One verdict, or a list of those that are right. */
function readVerdicts(at: YamlPlace): Verdict[] {
  const read = (each: YamlPlace) => {
    const text = each.text('expect');
    return (
      VERDICTS.find((verdict) => verdict === text) ?? each.fail('expect must be allow, challenge or block.')
    );
  };
  const all = at.isList ? at.items('expect').map(read) : [read(at)];
  return all.length > 0 ? all : at.fail('expect must be allow, challenge or block.');
}
