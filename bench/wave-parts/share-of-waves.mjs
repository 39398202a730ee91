// Reads from a CPU profile of V8 what waves cost: the time in which code of their room, or code that it called, ran.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOM = /\/dist\/waves\/([\w-]+)\.js$/;
/** The mirror's look-ups, which ask the learner itself. The service has an index for them: `look-up-cost.mjs` measures it. Everything else of the room runs behind the commit. */
const LOOK_UPS = ['wave-replay find', 'wave-replay count', 'wave-replay usual'];

/** Share of the CPU behind the commit, from the profiles of a folder. By samples: their times include those in which others had the core. */
export function shareOfWaves(folder) {
  let behind = 0;
  let busy = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
    const { nodes, samples } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const entryOf = entries(nodes);
    const idle = new Set(
      nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id),
    );
    for (const sample of samples) {
      if (idle.has(sample)) continue;
      busy += 1;
      const entry = entryOf.get(sample);
      if (entry !== undefined && !LOOK_UPS.includes(entry)) behind += 1;
    }
  }
  return behind / Math.max(1, busy);
}

/** Node → module and function of the room through which the room was entered. Nodes stand before their children. */
function entries(nodes) {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const found = new Map();
  for (const { id, callFrame } of nodes) {
    const [, module] = ROOM.exec(callFrame.url) ?? [];
    const own = module === undefined ? undefined : `${module} ${callFrame.functionName}`;
    const entry = found.get(parents.get(id)) ?? own;
    if (entry !== undefined) found.set(id, entry);
  }
  return found;
}
