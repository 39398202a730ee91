/** Finds variables that look like settings but are not: most are misspelled, and would be ignored silently. */
import { nearestName } from './nearest-name.ts';

const PREFIX = 'GATEHOUSE_';
/** Kubernetes and Docker set variables for other services: `GATEHOUSE_SERVICE_HOST`, `GATEHOUSE_PORT=tcp://…`. */
const SERVICE_NAME = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;
const SERVICE_URL = /^(?:tcp|udp|sctp):\/\//;

/** One phrase each: `GATEHOUSE_FEED (GATEHOUSE_FEEDS?)`. Values are not shown: they may be secrets. */
export function findUnknown(
  environment: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] {
  return Object.entries(environment)
    .filter(([name, value = '']) => isMeantForUs(name, value) && !known.includes(name))
    .map(([name]) => {
      const near = nearest(name, known);
      return near === undefined ? name : `${name} (${near}?)`;
    })
    .sort();
}

function isMeantForUs(name: string, value: string): boolean {
  return (
    name.startsWith(PREFIX) && value.trim() !== '' && !SERVICE_NAME.test(name) && !SERVICE_URL.test(value)
  );
}

/** The setting with the most similar name, with or without the prefix; `undefined` when less than half is the same. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const bare = (text: string) => text.toUpperCase().replace(PREFIX, '');
  const found = nearestName(bare(name), known.map(bare));
  return known.find((setting) => bare(setting) === found);
}
