// A visitor without a key sends signups in the name of somebody else: spellings of a mailbox, and made-up addresses of a company.
import { assess } from '../attack-parts/sockets.mjs';
import { startTarget } from '../attack-parts/target.mjs';

const SPELLINGS = 14;
const MADE_UP = 40;
const ATTACKER = '198.51.100.66';

export const attack = {
  what: `${SPELLINGS} tagged spellings of somebody’s Gmail address and ${MADE_UP} made-up addresses of a company, all from one IP; then the owner and a member of staff sign up from their own networks`,
  before: 'the owner: block 62 after 9 spellings, 73 after 14; the staff: block 62',
  async run() {
    const target = await startTarget({ plan: 'business' });
    const send = async (email, ip) => JSON.parse((await assess(target, { email, ip })).text);
    const own = [];
    for (let at = 0; at < SPELLINGS; at += 1)
      own.push((await send(`jane.doe+${at}@gmail.com`, ATTACKER)).verdict);
    const made = [];
    for (let at = 0; at < MADE_UP; at += 1)
      made.push((await send(`person${at}@victim-harbour-works.com`, ATTACKER)).verdict);
    const owner = await send('jane.doe@gmail.com', '79.192.0.20');
    const staff = await send('maria.silva@victim-harbour-works.com', '79.193.0.20');
    const count = (verdicts) =>
      ['allow', 'challenge', 'block']
        .map((verdict) => `${verdict} ${verdicts.filter((each) => each === verdict).length}`)
        .join(', ');
    const failures = [];
    if (owner.verdict === 'block') failures.push(`the owner of the mailbox: block ${owner.score}`);
    if (staff.verdict === 'block') failures.push(`the staff of the company: block ${staff.score}`);
    return {
      seen: `the owner: ${owner.verdict} ${owner.score}; the staff: ${staff.verdict} ${staff.score}; the attacker’s own spellings: ${count(own)}, made-up addresses: ${count(made)}`,
      failures,
    };
  },
};
