// A flood of signups without repeated values, on a service that queries DNS, a registry and blocklists for each: its memory, and the counts of a quiet account meanwhile.
import { ANSWERING, keptMemory } from '../attack-parts/kept-memory.mjs';
import { startRegistry } from '../attack-parts/rdap-server.mjs';
import { sendSignups } from '../attack-parts/signup-sender.mjs';
import { addAccount, startTarget } from '../attack-parts/target.mjs';
import { startDns } from '../dns.mjs';

const SIGNUPS = Number(process.env.ATTACK_SIGNUPS ?? 1_000_000);
/**
 * Later domains have a suffix without a registry. The registry gets as many queries as its cache can keep: 50,000 answers
 * and 20,000 that wait for a confirmation. Each query costs several times as much as the rest of a signup.
 */
const WITH_REGISTRY = 70_000;
const VELOCITY_MB = 32;
const STEPS = 10;
/** After this many signups all caches are full: each keeps 50,000 or 100,000 subjects, in two halves; one half is dropped at a time. */
const FULL_AFTER_SIGNUPS = 150_000;
/** Heap and buffers, with the velocity counts. */
const MAX_KEPT_MB = 260;
const MAX_GROWTH_MB = 40;
/** On a busy machine, some commits may be too late. An unlimited flood has many more late commits. */
const MAX_UNANSWERED_SHARE = 1 / 1_000;

export const attack = {
  what: 'signups whose domain, mail host, IP (each in a /64 of its own) and mailbox never repeat, all of one account (`ATTACK_SIGNUPS=N`; default a million), on a service that asks DNS and two blocklists about each, and a registry about the first 70,000; a quiet account sends one from the same IP and domain after each tenth of them',
  before: '–',
  isLong: true,
  async run() {
    const [dns, registry] = [await startDns(), await startRegistry()];
    const target = await startTarget({
      ...ANSWERING,
      plan: 'business',
      env: {
        GATEHOUSE_VELOCITY_MB: String(VELOCITY_MB),
        GATEHOUSE_DNS_SERVERS: dns.address,
        GATEHOUSE_RDAP_BOOTSTRAP_URL: registry.bootstrapUrl,
        GATEHOUSE_DNSBL_DOMAIN: 'listed-domains.example',
        GATEHOUSE_DNSBL_IP: 'listed-addresses.example',
      },
      limits: ['--rps', '100000', '--monthly-quota', '1000000000'],
    });
    const quiet = addAccount(target, 'quiet');
    const kept = [];
    const counts = [];
    const statuses = {};
    for (let step = 0; step < STEPS; step += 1) {
      const count = Math.floor(SIGNUPS / STEPS);
      const answers = await sendSignups(target, { from: step * count, count, signupOf: uniqueSignup });
      for (const [status, number] of Object.entries(answers))
        statuses[status] = (statuses[status] ?? 0) + number;
      await sendSignups(
        { ...target, key: quiet },
        {
          count: 1,
          signupOf: () => ({ email: `jo.${step}@quiet-harbour-works.com`, ip: '79.192.0.1' }),
          onAnswer: (_index, text) => counts.push(JSON.parse(text).signals.velocity),
        },
      );
      kept.push(await keptMemory(target));
      process.stdout.write(`${(step + 1) * count}: ${figures(kept.at(-1))}\n`);
    }
    const queries = registry.queries();
    dns.close();
    registry.close();
    return { ...judge(kept, counts, statuses), seen: describe({ kept, counts, queries, statuses }) };
  },
};

function uniqueSignup(index) {
  const hex = index.toString(16).padStart(8, '0');
  return {
    email: `person.${index}@unique-${index}.${index < WITH_REGISTRY ? 'com' : 'net'}`,
    ip: `2a02:${(0x1000 + (index >> 24)).toString(16)}:${hex.slice(0, 4)}:${hex.slice(4)}::1`,
    session_id: `session-${index}`,
  };
}

function judge(kept, counts, statuses) {
  const failures = [];
  const full = kept.filter((_, step) => ((step + 1) * SIGNUPS) / STEPS >= FULL_AFTER_SIGNUPS);
  const growth = full.length < 2 ? 0 : full.at(-1).keptMb - full[0].keptMb;
  const maxKeptMb = Math.max(...kept.map(({ keptMb }) => keptMb));
  if (maxKeptMb > MAX_KEPT_MB) failures.push(`kept ${maxKeptMb.toFixed(0)} MB, more than ${MAX_KEPT_MB} MB`);
  if (growth > MAX_GROWTH_MB)
    failures.push(`grew by ${growth.toFixed(1)} MB with full caches, more than ${MAX_GROWTH_MB} MB`);
  counts.forEach(({ ip_signups_24h, email_domain_24h }, at) => {
    if (ip_signups_24h !== at + 1 || email_domain_24h !== at + 1)
      failures.push(
        `signup ${at + 1} of the quiet account counted as ${ip_signups_24h} and ${email_domain_24h}`,
      );
  });
  if (counts.length !== STEPS)
    failures.push(`only ${counts.length} signups of the quiet account were answered`);
  const unanswered = Object.entries(statuses).reduce(
    (sum, [status, count]) => sum + (status === '200' ? 0 : count),
    0,
  );
  if (unanswered > SIGNUPS * MAX_UNANSWERED_SHARE) failures.push(`answers ${JSON.stringify(statuses)}`);
  return { failures };
}

function describe({ kept, counts, queries, statuses }) {
  const at = (step) => figures(kept[step - 1]);
  return (
    `${answersOf(statuses)}; ${at(1)} after a tenth, ${at(STEPS / 2)} after half, ${at(STEPS)} at the end; ` +
    `never more than ${Math.max(...kept.map(({ keptMb }) => keptMb)).toFixed(0)} MB kept between two steps; ${queries} questions to the registry; the quiet account's counts: ${counts.map(({ ip_signups_24h }) => ip_signups_24h).join(', ')}`
  );
}

const answersOf = (statuses) =>
  Object.entries(statuses)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ');

const figures = ({ keptMb, residentMb }) =>
  `${keptMb.toFixed(0)} MB kept (resident ${residentMb.toFixed(0)} MB)`;
