// Sign-ins from many addresses, faster than passwords can be hashed; meanwhile the operator signs in and assessments run.
import { setTimeout as sleep } from 'node:timers/promises';
import { claimOperator, openBrowser, statusesOf } from '../attack-parts/browser.mjs';
import { assess, slowestMs, unanswered, watch } from '../attack-parts/sockets.mjs';
import { startTarget } from '../attack-parts/target.mjs';

const PER_SECOND = 40;
const SECONDS = 20;
const SLOWEST_SIGN_IN_MS = 15_000;

export const attack = {
  what: `${PER_SECOND} sign-ins a second from as many addresses for ${SECONDS} s, for an operator and for nobody`,
  before:
    'the operator waited 8 s after 17 s of it on a calm machine, over 90 s under load: one queue without bound',
  async run() {
    const target = await startTarget({ plan: 'business', env: { GATEHOUSE_TRUST_PROXY: 'on' } });
    const known = await claimOperator(target, { from: '192.0.2.9' });
    const flood = [];
    const flooding = (async () => {
      for (let at = 0; at < PER_SECOND * SECONDS; at += 1) {
        const from = `198.18.${at >> 8}.${at & 255}`;
        flood.push(openBrowser(target, { from }).signIn(`guess ${at}`));
        await sleep(1000 / PER_SECOND);
      }
    })();
    const signIns = [];
    const operator = (async () => {
      for (let at = 0; at < 5; at += 1) {
        await sleep((SECONDS * 1000) / 6);
        known.forgetSession();
        signIns.push(await known.signIn());
      }
    })();
    const assessments = await watch(Promise.all([flooding, operator]), () => assess(target));
    const answers = await Promise.all(flood);
    const failures = [];
    if (signIns.some(({ status }) => status !== 200) || slowestMs(signIns) > SLOWEST_SIGN_IN_MS)
      failures.push(`the operator: ${statusesOf(signIns)}, slowest ${slowestMs(signIns)} ms`);
    if (unanswered(assessments) > 0 || assessments.some(({ status }) => status !== 200))
      failures.push(`assessments: ${statusesOf(assessments)}`);
    return {
      seen:
        `the flood: ${statusesOf(answers)}; the operator in a known browser: ${statusesOf(signIns)}, slowest ${slowestMs(signIns)} ms; ` +
        `assessments: ${statusesOf(assessments)}, slowest ${slowestMs(assessments)} ms`,
      failures,
    };
  },
};
