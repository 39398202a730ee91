// A stranger uses up an account's rate limit by signing up often, then signs up at listed disposable domains through its hook.
import { createHook, deliver, makeSecret, untilKnown } from '../attack-parts/hooks.mjs';
import { startTarget } from '../attack-parts/target.mjs';

const FLOOD = 60;
const LISTED = ['mailinator.com', 'yopmail.com', 'guerrillamail.com'];
const SIGNUPS = 12;

export const attack = {
  what: `${FLOOD} signups at once through a hook of an account with plan \`free\`, then ${SIGNUPS} at listed disposable domains`,
  before: '12 of 12 were let in',
  async run() {
    const target = await startTarget({ plan: 'free' });
    const secret = makeSecret();
    const path = createHook(target, 'supabase', secret);
    await untilKnown(target, path, secret);
    const send = (email, at) => deliver(target, path, secret, { email, ip: `79.192.1.${at}` });
    const flood = await Promise.all(
      Array.from({ length: FLOOD }, (_, at) => send(`jo@harbour-works-${at}.com`, at)),
    );
    const answers = await Promise.all(
      Array.from({ length: SIGNUPS }, (_, at) => send(`jo${at}@${LISTED[at % LISTED.length]}`, 100 + at)),
    );
    const honest = await send('jo@quiet-harbour-works.com', 200);
    const metrics = await (await fetch(`http://127.0.0.1:${target.port}/metrics`)).text();
    const limited = Number(/outcome="denied_by_lists"\} (\d+)/.exec(metrics)?.[1] ?? 0);
    const denied = answers.filter(({ text }) => JSON.parse(text).error?.http_code === 403).length;
    const failures = [];
    if (flood.some(({ status }) => status !== 200)) failures.push('the flood was not answered');
    if (limited === 0) failures.push('the rate limit was not used up, so nothing was shown');
    if (denied < SIGNUPS) failures.push(`${SIGNUPS - denied} listed domains were let in`);
    return {
      seen: `${denied} of ${SIGNUPS} were denied, ${limited} of them without a verdict, by the lists in memory; an honest signup meanwhile was ${honest.text === '{}' ? 'let in' : 'denied'}`,
      failures,
    };
  },
};
