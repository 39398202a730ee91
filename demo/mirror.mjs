// A mirror of feeds in a folder, with entries invented for the demo, and two refreshes from it: the second brings changes,
// and a list that is refused.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { FEEDS } from '../dist/intel/feeds.js';

const BIN = fileURLToPath(new URL('../bin/gatehouse.js', import.meta.url));
const lines = (values) => `${values.join('\n')}\n`;

/** The settings under which a service uses the mirror. */
export function mirrorSettings(feedsDir) {
  return { GATEHOUSE_FEEDS: 'on', GATEHOUSE_FEEDS_FILE: join(feedsDir, 'feeds.json') };
}

export async function publishMirror({ dataDir, feedsDir, listed, names, random, say }) {
  mkdirSync(feedsDir, { recursive: true });
  const invented = (count) =>
    Array.from({ length: count }, () => `${random.letters(9)}.${random.pick(['com', 'net', 'xyz'])}`);
  const disposables = [...names.disposable, ...invented(4_200)];
  const referrers = invented(1_900);
  const write = (name, text) => writeFileSync(join(feedsDir, name), text);
  const files = {
    'disposable-curated': lines(disposables.slice(0, 4_150)),
    'disposable-mx': lines(disposables.slice(900)),
    'referrer-spam': lines(referrers),
    'tor-exits': lines(listed.tor.slice(0, 30)),
    'icloud-relay': lines(listed.relay.map((block) => `${block},US,US-CA,,`)),
    'vpn-ipv4': lines(listed.vpn.slice(0, 5)),
    proxies: JSON.stringify(
      listed.proxies.slice(0, 60).map((host) => ({ host, exit_ip: host, protocol: 'http' })),
    ),
    'abuse-levels': lines(listed.abusive.slice(0, 44).map((address, at) => `${address}\t${3 + (at % 6)}`)),
    'blocklist-de': lines(listed.abusive.slice(20)),
  };
  for (const [id, text] of Object.entries(files)) write(`${id}.txt`, text);
  const settings = FEEDS.map(({ id }) => {
    if (files[id] === undefined) return [id, { enabled: false }];
    return [id, { url: pathToFileURL(join(feedsDir, `${id}.txt`)).href }];
  });
  write('feeds.json', JSON.stringify(Object.fromEntries(settings), null, 2));
  const refresh = () => {
    try {
      execFileSync(process.execPath, [BIN, 'intel', 'refresh'], {
        env: { ...process.env, GATEHOUSE_DATA_DIR: dataDir, ...mirrorSettings(feedsDir) },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
    } catch (error) {
      // A feed is refused on purpose.
      if (!/refused|failed|not /.test(String(error.stderr))) throw error;
    }
  };
  refresh();
  write('disposable-curated.txt', lines(disposables.slice(12)));
  write('tor-exits.txt', lines(listed.tor));
  write('vpn-ipv4.txt', lines(listed.vpn));
  write(
    'proxies.txt',
    JSON.stringify(listed.proxies.map((host) => ({ host, exit_ip: host, protocol: 'http' }))),
  );
  write(
    'abuse-levels.txt',
    lines(listed.abusive.slice(2).map((address, at) => `${address}\t${3 + (at % 6)}`)),
  );
  write('referrer-spam.txt', lines(referrers.slice(0, 300)));
  refresh();
  say('intelligence from the demo’s mirror of feeds');
}
