/** Reads a policy file: each error is one line with the file, the line and the column. */
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { type ListValue, readListValueFor } from '../../evidence/list-value.ts';
import { isHashedKind, LIST_KINDS, type ListAction } from '../../model/list-entry.ts';
import { parseInstant } from '../../platform/timestamp.ts';
import { RULES } from '../../signup/policy.ts';
import {
  type AccountPolicy,
  type FileEntry,
  type FileThresholds,
  type FileWeight,
  type KeyPolicy,
  POLICY_VERSION,
  type PolicyFile,
} from './policy-file.ts';
import { readCases } from './read-cases.ts';
import { parseYaml, type YamlPlace } from './yaml-place.ts';

const MAX_BYTES = 20e6;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Mark of a masked address: only the id says which one it is. */
const MASKED = '***@';
const LIMITS = new Map(RULES.map(({ detector, limit }) => [detector, limit]));

/** @param path `-` reads the standard input @throws Error of one line */
export function readPolicyFile(path: string): PolicyFile {
  return readPolicyText(nameOf(path), readText(path));
}

/** @throws Error of one line */
export function readPolicyText(file: string, text: string): PolicyFile {
  const root = parseYaml(file, text);
  const members = root.members('a policy file', ['version', 'accounts', 'cases', 'accept']);
  readFormVersion(root, members.get('version'));
  const accounts = (members.get('accounts')?.items('accounts') ?? []).map(readAccount);
  return {
    accounts,
    cases: readCases(members.get('cases')),
    accepted: (members.get('accept')?.items('accept') ?? []).map((at) => ({
      place: at.place,
      name: at.text('the name of a wave or a crowd'),
    })),
  };
}

export function readText(path: string): string {
  if (path === '-') return readFileSync(0, 'utf8');
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new Error(`there is no file ${path}`);
  if (!found.isFile()) throw new Error(`${path} is no file`);
  if (found.size > MAX_BYTES) throw new Error(`${path} is larger than ${MAX_BYTES / 1e6} MB`);
  return readFileSync(path, 'utf8');
}

/** Name that errors begin with: as it was given, since editors and CI open it by that. */
export function nameOf(path: string): string {
  return path === '-' ? 'standard input' : path.length > 200 ? basename(path) : path;
}

function readFormVersion(root: YamlPlace, at: YamlPlace | undefined): void {
  if (at === undefined) root.fail(`the version is missing: begin the file with version: ${POLICY_VERSION}.`);
  else if (at.number('version', 1, Number.MAX_SAFE_INTEGER) !== POLICY_VERSION)
    at.fail(`version must be ${POLICY_VERSION}, the only one that this Gatehouse knows.`);
}

function readAccount(at: YamlPlace): AccountPolicy {
  const members = at.members('an account', [
    'id',
    'name',
    'thresholds',
    'keys',
    'weights',
    'lists',
    'shared_offices',
  ]);
  const id = members.get('id')?.text('id');
  const name = members.get('name')?.text('name');
  if (id === undefined && name === undefined) at.fail('an account needs its name.');
  const thresholds = members.get('thresholds');
  const lists = members.get('lists')?.members('lists', ['allow', 'deny']);
  const entries = [
    ...readEntries('allow', lists?.get('allow')),
    ...readEntries('deny', lists?.get('deny')),
    ...readEntries('office', members.get('shared_offices')),
  ];
  refuseTwins(entries);
  return {
    place: at.place,
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(thresholds !== undefined && { thresholds: readThresholds(thresholds, 'default') }),
    keys: readKeys(members.get('keys')),
    weights: readWeights(members.get('weights')),
    entries,
  };
}

/** @param inherited word for no thresholds of its own */
function readThresholds(at: YamlPlace, inherited: 'default' | 'account'): FileThresholds {
  const { place } = at;
  if (at.is(inherited)) return { place, value: null };
  const members = at.members('thresholds', ['challenge', 'block']);
  const read = (name: 'challenge' | 'block') => {
    const member = members.get(name) ?? at.fail(`thresholds need ${name}, or are ${inherited}.`);
    const value = member.number(name, 1, 100);
    return Number.isInteger(value) ? value : member.fail(`${name} must be a whole number.`);
  };
  const value = { challenge: read('challenge'), block: read('block') };
  if (value.challenge > value.block)
    (members.get('challenge') as YamlPlace).fail(
      `challenge ${value.challenge} must not be above block ${value.block}.`,
    );
  return { place, value };
}

function readKeys(at: YamlPlace | undefined): KeyPolicy[] {
  const keys = (at?.items('keys') ?? []).map((item): KeyPolicy => {
    const members = item.members('a key', ['id', 'name', 'mode', 'thresholds']);
    const name = members.get('name')?.text('name') ?? item.fail('a key needs its name.');
    const thresholds = members.get('thresholds') ?? item.fail(`the key ${name} needs thresholds.`);
    const mode = members.get('mode')?.text('mode') ?? 'live';
    if (mode !== 'live' && mode !== 'test') return item.fail('mode must be live or test.');
    const id = members.get('id')?.text('id');
    return {
      place: item.place,
      ...(id !== undefined && { id }),
      name,
      mode,
      thresholds: readThresholds(thresholds, 'account'),
    };
  });
  for (const [number, key] of keys.entries()) {
    const twin = keys
      .slice(0, number)
      .find((other) => other.mode === key.mode && keyOf(other) === keyOf(key));
    if (twin !== undefined) throw new Error(`${key.place}: the key ${key.name} is there already.`);
  }
  return keys;
}

const keyOf = ({ id, name }: KeyPolicy) => id ?? name;

function readWeights(at: YamlPlace | undefined): FileWeight[] {
  return (at?.pairs('weights') ?? []).map(({ name, key, value }) => {
    const limit = LIMITS.get(name) ?? key.fail(`there is no detector ${name}; docs/scoring.md lists them.`);
    const weight = Math.round(value.number(`the weight of ${name}`, 0, limit) * 10) / 10;
    return { place: key.place, detector: name, weight };
  });
}

function readEntries(action: ListAction, at: YamlPlace | undefined): FileEntry[] {
  return (at?.items(action === 'office' ? 'shared_offices' : action) ?? []).map((item) =>
    readEntry(action, item),
  );
}

function readEntry(action: ListAction, item: YamlPlace): FileEntry {
  const members = item.members('an entry', ['value', 'kind', 'id', 'reason', 'expires', 'wide']);
  const value = members.get('value') ?? item.fail('an entry needs its value.');
  const text = value.text('value');
  const kind = members.get('kind')?.text('kind');
  if (kind !== undefined && !LIST_KINDS.some((each) => each === kind))
    (members.get('kind') as YamlPlace).fail(`kind must be ${LIST_KINDS.join(', ')}.`);
  const id = members.get('id')?.text('id');
  const isMasked = text.includes(MASKED);
  if (isMasked && id === undefined)
    value.fail(`${text} is masked: write the whole address, or the id of the entry.`);
  const read = isMasked ? null : readValue(action, text, kind, value);
  const reason = members.get('reason');
  const expires = members.get('expires');
  return {
    place: item.place,
    action,
    text,
    value: read,
    ...(id !== undefined && { id }),
    reason: reason === undefined || reason.isEmpty ? null : reason.text('reason'),
    expiresAt: expires === undefined || expires.isEmpty ? null : readExpiry(expires),
    isWide: members.get('wide')?.flag('wide') ?? false,
  };
}

function readValue(action: ListAction, text: string, kind: string | undefined, at: YamlPlace): ListValue {
  let read: ListValue;
  try {
    read = readListValueFor(action, text, kind === 'address');
  } catch (error) {
    return at.fail((error as Error).message);
  }
  if (kind === undefined || kind === read.kind) return read;
  return at.fail(
    `${text} is ${isHashedKind(read.kind) ? 'an address' : `of kind ${read.kind}`}, not ${kind}.`,
  );
}

function readExpiry(at: YamlPlace): number {
  const text = at.text('expires');
  const instant = parseInstant(DAY.test(text) ? `${text}T00:00Z` : text);
  return instant ?? at.fail('expires must be a date, or a time such as 2027-01-31T12:00:00Z.');
}

/** Two entries for the same value would overwrite each other. */
function refuseTwins(entries: readonly FileEntry[]): void {
  const places = new Map<string, string>();
  for (const { action, value, id, place } of entries) {
    const same = `${action} ${value === null ? id : `${value.kind} ${value.value}`}`;
    const first = places.get(same);
    if (first !== undefined) throw new Error(`${place}: this entry is there already, at ${first}.`);
    places.set(same, place);
  }
}
