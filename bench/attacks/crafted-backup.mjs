// A backup whose manifest somebody has made up, with a digest that fits.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTarget } from '../attack-parts/target.mjs';
import { BIN, gatehouse } from '../process.mjs';

const FOOTER_BYTES = 100;
const LENGTH = /^gatehouse-backup \d{4} (\d{12}) /;

export const attack = {
  what: 'manifests that are no object, that lack or distort each member, and that name files outside the folder, each with its right digest, for `restore --check` and `restore`',
  before: 'a raw error of JavaScript in 5 of 15; `schema` as a text or absent was restored',
  async run() {
    const { footerOf } = await import('../../dist/operate/backup/backup-file.js');
    const { directory, environment } = await startTarget({ plan: 'business' });
    const file = join(directory, 'good.backup');
    gatehouse(['backup', file], environment);
    const bytes = readFileSync(file);
    const length = Number(LENGTH.exec(bytes.subarray(-FOOTER_BYTES).toString())?.[1]);
    const content = bytes.subarray(0, -FOOTER_BYTES - length);
    const good = JSON.parse(bytes.subarray(content.length, -FOOTER_BYTES).toString());
    const crafted = join(directory, 'crafted.backup');
    const folder = join(directory, 'restored');
    const restore = (manifest, ...options) => {
      const text = Buffer.from(manifest);
      writeFileSync(crafted, Buffer.concat([content, text, Buffer.from(footerOf(text))]));
      return spawnSync(process.execPath, [BIN, 'restore', ...options, crafted], {
        env: { ...process.env, ...environment, GATEHOUSE_DATA_DIR: folder },
        encoding: 'utf8',
      });
    };
    const failures = [];
    const manifests = manifestsFrom(good);
    for (const manifest of manifests)
      for (const options of [['--check'], []]) {
        const { status, stderr } = restore(manifest, ...options);
        const isOneLine = /^gatehouse: [^\n]{10,400}\n$/.test(stderr);
        const isRaw = /Cannot read|undefined|is not a function|TypeError|\bat .*:\d+/.test(stderr);
        if (status !== 1 || !isOneLine || isRaw || existsSync(folder))
          failures.push(`${status}, ${manifest.slice(0, 80)}: ${stderr.slice(0, 200)}`);
      }
    const whole = restore(JSON.stringify(good), '--check');
    if (whole.status !== 0) failures.push(`the good one is refused: ${whole.stderr}`);
    return {
      seen: `${manifests.length} manifests; ${failures.length} not refused in one line, and the good one is accepted`,
      failures,
    };
  },
};

function manifestsFrom(good) {
  const members = Object.keys(good);
  const text = (changes) => JSON.stringify({ ...good, ...changes });
  const [first, second] = good.parts;
  return [
    'null',
    '1',
    '[]',
    '{}',
    '',
    '{',
    '{"parts":{"reduce":1}}',
    ...members.flatMap((name) => [
      text({ [name]: undefined }),
      text({ [name]: null }),
      text({ [name]: [[]] }),
    ]),
    text({ schema: '1' }),
    ...['../secret.key', '/etc/passwd', 'gatehouse.db', '__proto__', 'secret.key\u0000'].map((path) =>
      text({ parts: [first, { ...second, path }] }),
    ),
  ];
}
