// A visitor without a key, on one connection with many IPv6 networks, sends signups in the name of a company and of somebody's mailbox.
import { assess } from '../attack-parts/sockets.mjs';
import { startTarget } from '../attack-parts/target.mjs';

const MANY = 60;
const COMPANY = 'victim-harbour-works.com';
/** The /64s of one /56 at a provider of homes. */
const subnetOf = (at) => `2003:ea:1700:${(0x1000 + at).toString(16)}::1`;
/** An address of a hosting company, by the bundled list. */
const HOSTING = '138.68.10.20';

export const attack = {
  what: `${MANY} made-up addresses of a company and ${MANY} tagged spellings of somebody’s Gmail address, each from another /64 of one IPv6 /56; then a member of staff from a home and one from a hosting address, and the owner by a spelling of her own; last, one more from the /56`,
  before:
    'the staff: challenge 59, from hosting block 79; the owner: challenge 59; one more from the /56: challenge 59',
  async run() {
    const target = await startTarget({ plan: 'business' });
    const send = async (email, ip) => JSON.parse((await assess(target, { email, ip })).text);
    for (let at = 0; at < MANY; at += 1) {
      await send(`person${at}@${COMPANY}`, subnetOf(at));
      await send(`jane.doe+${at}@gmail.com`, subnetOf(MANY + at));
    }
    const bystanders = {
      'the staff': await send(`maria.silva@${COMPANY}`, '79.193.0.20'),
      'the owner': await send('jane.doe+shop@gmail.com', '79.192.0.20'),
    };
    const hosted = await send(`rui.costa@${COMPANY}`, HOSTING);
    const more = await send(`person${MANY}@${COMPANY}`, subnetOf(2 * MANY));
    const failures = [];
    for (const [who, { verdict, score }] of Object.entries(bystanders))
      if (verdict !== 'allow') failures.push(`${who}: ${verdict} ${score}`);
    if (hosted.verdict === 'block') failures.push(`the staff from hosting: block ${hosted.score}`);
    if (more.verdict === 'allow') failures.push(`one more from the /56: allow ${more.score}`);
    const said = Object.entries(bystanders).map(([who, { verdict, score }]) => `${who}: ${verdict} ${score}`);
    return {
      seen: `${said.join('; ')}; the staff from hosting: ${hosted.verdict} ${hosted.score}; one more from the /56: ${more.verdict} ${more.score}`,
      failures,
    };
  },
};
