// The Host header of a call decides where the link of a challenge leads.
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../attack-parts/sockets.mjs';
import { startTarget } from '../attack-parts/target.mjs';
import { gatehouse } from '../process.mjs';

/** Time until the service follows a command. */
const FOLLOWED_MS = 1_500;
const HOSTS = [
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '203.0.113.7',
  'gatehouse',
];

export const attack = {
  what: `links for a challenge asked for with ${HOSTS.length} foreign names in \`Host\`, without \`GATEHOUSE_PUBLIC_URL\` and with it`,
  before: '`Host: evil.example` gave `http://evil.example/challenge/#…`',
  async run() {
    const without = await linksOf({});
    const given = await linksOf({ GATEHOUSE_PUBLIC_URL: 'https://signup.example' });
    const led = [...without.foreign, ...given.foreign].filter((link) =>
      HOSTS.some((host) => link?.includes(`/${host}`)),
    );
    const failures = led.map((link) => `a link to ${new URL(link).host}`);
    if (!without.own?.includes('127.0.0.1')) failures.push('no link to the service itself either');
    if (!given.foreign.every((link) => link?.startsWith('https://signup.example/')))
      failures.push('GATEHOUSE_PUBLIC_URL is not where links lead');
    const refused = without.foreign.filter((link) => link === undefined).length;
    return {
      seen: `without it ${refused} of ${HOSTS.length} refused, with it all lead there; links to a foreign name: ${led.length}`,
      failures,
    };
  },
};

async function linksOf(env) {
  const target = await startTarget({ plan: 'business', env: { GATEHOUSE_CHALLENGE_MINUTES: '30', ...env } });
  const make = ['key', 'create', '--account', target.account, '--mode', 'test', '--name', 'sandbox'];
  const { key } = gatehouse(make, target.environment);
  await sleep(FOLLOWED_MS);
  const headers = { authorization: `Bearer ${key}` };
  const post = async (path, body, more) =>
    JSON.parse((await ask(target, path, { method: 'POST', headers: { ...headers, ...more }, body })).text);
  async function linkFor(host) {
    const { challenge } = await post('/v1/assess', { email: 'challenge@example.com' });
    const answer = await post('/v1/challenges', { token: challenge.token, confirm: {} }, { host });
    return answer.confirmation?.link;
  }
  const own = await linkFor(`127.0.0.1:${target.port}`);
  const foreign = [];
  for (const host of HOSTS) foreign.push(await linkFor(host));
  return { own, foreign };
}
