// A publisher on loopback whose list is another one at each fetch, the settings of a service that fetches nothing else, and signups at domains that are seen under one snapshot only.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const ID = 'disposable-curated';
/** Names, as many as the largest lists of throw-away domains have. */
const NAMES = Array.from({ length: 100_000 }, (_, at) => `throw-away-${at}.com`).join('\n');
/** Signups of a domain before all that is known of it is remembered. */
const SIGNUPS = 8;

/** @param everySeconds how often the service fetches it */
export async function startChangingFeed({ directory, feedIds, everySeconds }) {
  let fetches = 0;
  const server = createServer((_, response) => {
    fetches += 1;
    response.end(`${NAMES}\nnewest-throw-away-${fetches}.com\n`);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const file = join(directory, 'feeds.json');
  const url = `http://127.0.0.1:${server.address().port}/list`;
  const off = Object.fromEntries(feedIds.map((id) => [id, { enabled: false }]));
  const feed = { url, enabled: true, everyHours: everySeconds / 3_600 };
  writeFileSync(file, JSON.stringify({ ...off, [ID]: feed }));
  return {
    settings: { GATEHOUSE_FEEDS: 'on', GATEHOUSE_FEEDS_FILE: file },
    fetches: () => fetches,
    close: () => server.close(),
  };
}

/** Signups of strangers at one domain that never comes again, one after the other. Returns how many were not answered with 200. */
export async function signUpStrangers({ port, key, round }) {
  let refused = 0;
  for (let at = 0; at < SIGNUPS; at += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/assess`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: `stranger.${at}@only-in-round-${round}.com` }),
    });
    await answer.arrayBuffer();
    if (answer.status !== 200) refused += 1;
  }
  return refused;
}

/** The snapshots that a service has activated since its start, from its metrics. */
export async function snapshotsOf(port) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^gatehouse_snapshot_swaps_total (\d+)/m.exec(text)?.[1] ?? 0);
}
