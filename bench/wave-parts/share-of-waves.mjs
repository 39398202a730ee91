// Reads from a CPU profile of V8 what waves cost: the time in which code of their room, or code that it called, ran.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOM = /\/dist\/waves\/([\w-]+)\.js$/;
/** What runs before the answer: the look-up of campaigns. Everything else of the room runs behind the commit. */
const ON_PATH = ['campaign-index', 'campaigns', 'member-keys', 'campaign-key'];

/** Shares of the CPU, `onPath` and `behind`, from the profiles of a folder. By samples: their times include those in which others had the core. */
export function shareOfWaves(folder) {
  const counts = { onPath: 0, behind: 0 };
  let busy = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
    const { nodes, samples } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const moduleOf = outermostModules(nodes);
    const idle = new Set(
      nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id),
    );
    for (const sample of samples) {
      if (idle.has(sample)) continue;
      busy += 1;
      const module = moduleOf.get(sample);
      if (module !== undefined) counts[ON_PATH.includes(module) ? 'onPath' : 'behind'] += 1;
    }
  }
  return { onPath: counts.onPath / Math.max(1, busy), behind: counts.behind / Math.max(1, busy) };
}

/** Node → the module of the room through which the room was entered. Nodes stand before their children. */
function outermostModules(nodes) {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const found = new Map();
  for (const { id, callFrame } of nodes) {
    const module = found.get(parents.get(id)) ?? ROOM.exec(callFrame.url)?.[1];
    if (module !== undefined) found.set(id, module);
  }
  return found;
}
