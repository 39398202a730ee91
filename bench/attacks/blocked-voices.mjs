// A visitor without a key sends what is blocked for certain, in the name of somebody else or from a network that others share.
import { setTimeout as sleep } from 'node:timers/promises';
import { assess } from '../attack-parts/sockets.mjs';
import { startTarget } from '../attack-parts/target.mjs';
import { gatehouse } from '../process.mjs';

const MANY = 60;
/** Addresses that the account denies: each signup from there is blocked, whatever it is. */
const DENIED = '198.51.100.0/24';
const COMPANY = 'victim-harbour-works.com';
const OFFICE = '79.192.0.30';
/** An address of a hosting company, by the bundled list. */
const HOSTING = '138.68.10.20';

export const attack = {
  what: `${MANY} signups each of made-up addresses of a company and of spellings of somebody’s mailbox, from as many denied addresses, and of disposable addresses from an office, all blocked; then a member of staff, the owner by a spelling of her own, and a colleague at the office sign up; last, more addresses of the company from a hosting address`,
  before: 'the staff: challenge 59; the owner: challenge 59; the colleague: challenge 47',
  async run() {
    const target = await startTarget({ plan: 'business' });
    const entry = ['--account', target.account, '--deny', DENIED, '--reason', 'an exit of strangers'];
    gatehouse(['list', 'add', ...entry], target.environment);
    const send = async (email, ip) => JSON.parse((await assess(target, { email, ip })).text);
    // A change of a list is in force within a second.
    for (let tries = 0; tries < 50; tries += 1) {
      if ((await send('anybody@another-firm.com', '198.51.100.250')).verdict === 'block') break;
      await sleep(50);
    }
    const blocked = async (addressOf, ipOf) => {
      let count = 0;
      for (let at = 0; at < MANY; at += 1)
        if ((await send(addressOf(at), ipOf(at))).verdict === 'block') count += 1;
      return count;
    };
    const denied = (at) => `198.51.100.${at + 1}`;
    const own = [
      await blocked((at) => `person${at}@${COMPANY}`, denied),
      await blocked((at) => `jane.doe+${at}@gmail.com`, denied),
      await blocked(
        (at) => `throw.away${at}@mailinator.com`,
        () => OFFICE,
      ),
    ];
    const bystanders = {
      'the staff': await send(`maria.silva@${COMPANY}`, '79.193.0.20'),
      'the owner': await send('jane.doe+shop@gmail.com', '79.192.0.20'),
      'the colleague': await send('rui.costa@gmail.com', OFFICE),
    };
    const accused = await send(`person${MANY}@${COMPANY}`, HOSTING);
    const failures = [];
    if (own.some((count) => count < MANY)) failures.push(`blocked themselves: ${own.join(', ')}`);
    for (const [who, { verdict, score }] of Object.entries(bystanders))
      if (verdict !== 'allow') failures.push(`${who}: ${verdict} ${score}`);
    if (accused.verdict !== 'block')
      failures.push(`one of the same domain at a hosting address: ${accused.verdict} ${accused.score}`);
    const said = Object.entries(bystanders).map(([who, { verdict, score }]) => `${who}: ${verdict} ${score}`);
    return {
      seen: `${own.join(', ')} blocked themselves; ${said.join('; ')}; the one from the hosting address: ${accused.verdict} ${accused.score}`,
      failures,
    };
  },
};
