// Files and arguments that an attacker has written control the terminal of whoever runs a command.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTarget } from '../attack-parts/target.mjs';
import { BIN } from '../process.mjs';

const ESC = '\u001b';
/** The title of the window, an erased line, a link, C1, a bell, a carriage return, a bidi override. */
const HOSTILE = `x${ESC}]0;owned\u0007${ESC}[2K${ESC}]8;;http://evil.example${ESC}\\y\u009b31m\r\u202egpj`;
/** Only line ends and tabs may be left. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what may not be left
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

export const attack = {
  what: 'a header, a separator, JSON and verdicts with escape sequences in files for `mirror`, and the same in arguments of commands',
  before: '`\\x1b]0;owned\\x07` from a header reached the terminal as it is',
  async run() {
    const { environment } = await startTarget({ plan: 'business' });
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-attack-files-'));
    const files = [
      `${HOSTILE},b\n1,2\n`,
      `${HOSTILE};b;c\n1;2;3\n`,
      `"${HOSTILE}","b"\n1,2\n`,
      `${JSON.stringify({ [HOSTILE]: 1 })}\n`,
      `{"${HOSTILE}\n`,
      `email,verdict\njo@example.com,${HOSTILE}\n`,
    ].map((text, at) => {
      const file = join(folder, `${at}.csv`);
      writeFileSync(file, text);
      return ['mirror', file];
    });
    const others = [
      ['account', 'create', '--name', HOSTILE, '--plan', 'free'],
      ['mirror', files[0][1], '--columns', `ip=${HOSTILE}`],
      ['mirror', `/nowhere/${HOSTILE}`],
      ['assess', `${HOSTILE}@example.com`],
      ['restore', `/nowhere/${HOSTILE}`],
      ['user', 'link', HOSTILE],
      ['key', 'revoke', HOSTILE],
      [HOSTILE],
    ];
    const commands = [...files, ...others];
    const failures = commands.flatMap((args) => {
      const options = { env: { ...process.env, ...environment }, encoding: 'utf8' };
      const { stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], options);
      const found = (stdout + stderr).match(CONTROLS) ?? [];
      if (stdout + stderr === '') return [`${args[0]} printed nothing, so nothing was shown`];
      return found.length === 0 ? [] : [`${JSON.stringify(args)}: ${JSON.stringify(found)}`];
    });
    rmSync(folder, { recursive: true });
    return {
      seen: `${commands.length} commands; control characters in the output of ${failures.length}`,
      failures,
    };
  },
};
