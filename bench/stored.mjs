// CPU per assessment with many stored assessments, compared with none: two services of the same build in the same rounds.
import { leaveOnly, startService, warmUp, withCost } from './contenders.mjs';
import { load } from './load.mjs';
import { print, refusals } from './measure.mjs';
import { plant } from './plant.mjs';

const CONNECTIONS = 32;
const HOUR_MS = 3_600_000;
/** The stored signups are too old for velocity counts, so only the store differs. */
const NEWEST_HOURS = 25;
const OLDEST_HOURS = 31 * 24;
/** Number of signups for each domain. */
const A_DOMAIN = 20;

/** @param services only the first is measured. `stored`: number of stored signups */
export async function measureStored({ services: [{ bin }], dns, stored, seconds, rounds, warmUpSeconds }) {
  const now = Date.now();
  const prepare = ({ account, id, settings }) =>
    plant({
      bin,
      dataDir: settings.GATEHOUSE_DATA_DIR,
      account,
      key: id,
      rows: stored,
      domains: Math.ceil(stored / A_DOMAIN),
      from: now - OLDEST_HOURS * HOUR_MS,
      to: now - NEWEST_HOURS * HOUR_MS,
    });
  const empty = await startService({ name: 'none', bin, dns });
  const full = await startService({ name: 'many', bin, dns, prepare });
  const all = [empty, full];
  for (const service of all) await warmUp(service, all, warmUpSeconds);
  const spent = new Map(all.map((service) => [service, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const service of all) {
      await leaveOnly(service, all);
      const { port, requests } = service;
      const work = () => load({ port, requests, connections: CONNECTIONS, seconds });
      spent.get(service).push(await withCost(service, work));
    }
  }
  const sum = (service, field) => spent.get(service).reduce((total, result) => total + result[field], 0);
  const microseconds = (service) => (sum(service, 'seconds') * 1e6) / sum(service, 'count');
  await empty.resume();
  await Promise.all(all.map((service) => service.stop()));
  const ratio = microseconds(full) / microseconds(empty);
  print(
    `\nCPU µs of an assessment, ${CONNECTIONS} connections: ${microseconds(full).toFixed(1)} with ${stored} stored, ${microseconds(empty).toFixed(1)} with none`,
  );
  return {
    figures: { stored: { value: ratio, note: `${stored.toLocaleString('en-US')} stored` } },
    failures: all.flatMap((service) => refusals(spent.get(service), `with ${service.name} stored`)),
  };
}
