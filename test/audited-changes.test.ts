/** Checks that pages and commands pass an audit entry to the store with every change. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCE = resolve(import.meta.dirname, '../src');
/** All that may call the store, wherever it lies. */
const ROOMS = readdirSync(SOURCE).filter((room) => room !== 'store' && !room.includes('.'));
/** Every method of the store's ports that takes audit entries; a new method is included automatically. */
const CHANGES = changesOfPorts();
/** Customers' servers report through the API with their key: these reports are stored as feedback only. */
const NOT_BY_PEOPLE = ['http/api.ts'];

interface Call {
  readonly file: string;
  readonly change: string;
  readonly args: string;
}

const calls = ROOMS.flatMap((room) =>
  readdirSync(join(SOURCE, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|suite)\.ts$/.test(file))
    .flatMap((file) => callsOf(join(room, file))),
);

describe('changes by people and the command line', () => {
  it('are found in the source, each kind of change', () => {
    const found = new Set(calls.map(({ change }) => change));
    expect(CHANGES.length).toBeGreaterThan(20);
    expect(CHANGES.filter((change) => !found.has(change))).toEqual([]);
  });

  it('are given to the store with their audit entries', () => {
    const bare = calls.filter(
      ({ file, args }) => !NOT_BY_PEOPLE.includes(file) && !/entr(y|ies)|audit|acceptedBy/i.test(args),
    );
    expect(bare).toEqual([]);
  });
});

function changesOfPorts(): string[] {
  const ports = readdirSync(join(SOURCE, 'store')).filter((file) => /(?<!\.test|\.suite)\.ts$/.test(file));
  const methods = ports.flatMap((file) => [
    ...readFileSync(join(SOURCE, 'store', file), 'utf8').matchAll(
      /^ {2}(\w+)\((?:[^)]|\([^)]*\))*?\baudit\??: (?:AuditEntries|\(version)[^;{]*;$/gm,
    ),
  ]);
  return [...new Set(methods.map(([, name = '']) => name))];
}

function callsOf(file: string): Call[] {
  const text = readFileSync(join(SOURCE, file), 'utf8');
  const pattern = new RegExp(`store\\.(${CHANGES.join('|')})\\(`, 'g');
  return [...text.matchAll(pattern)].map((match) => ({
    file,
    change: match[1] as string,
    args: argumentsAt(text, match.index + match[0].length),
  }));
}

/** The text between the parentheses, of which the opening one ends at `from`. */
function argumentsAt(text: string, from: number): string {
  let [depth, at] = [1, from];
  for (; depth > 0 && at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
  }
  return text.slice(from, at - 1);
}
