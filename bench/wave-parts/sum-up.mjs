// Sums up a replay: for each wave, who of it was stopped and from where on; for each crowd and the everyday people, who was touched.
import { CROWDS } from './all-crowds.mjs';
import { WAVES } from './all-waves.mjs';

/** From its 15th signup on a wave must be known; at a large provider, among honest people, from its 30th. */
export const KNOWN_FROM = 15;
export const KNOWN_FROM_AT_PROVIDER = 30;
/** Stopped by lists that have nothing to do with waves; they are no ordinary people. */
const NOT_ORDINARY = ['disposable'];

const isStopped = ({ verdict }) => verdict !== 'allow';
const share = (part, all) => (all === 0 ? 0 : part / all);

/** `decisions` of the month, `alone` of its everyday rows without waves and crowds; both in the order of the rows. */
export function sumUp(rows, decisions, alone) {
  return {
    rows: rows.length,
    ...sumUpParts(rows, decisions),
    everyday: everydayResult(rows, decisions, alone),
  };
}

/** Waves and crowds of which there are rows. */
export function sumUpParts(rows, decisions) {
  const of = groupBy(rows.map(({ kind, name }, at) => [`${kind}/${name}`, decisions[at]]));
  return {
    waves: WAVES.filter(({ name }) => of.has(`wave/${name}`)).map((wave) =>
      waveResult(wave, of.get(`wave/${wave.name}`)),
    ),
    crowds: CROWDS.filter(({ name }) => of.has(`crowd/${name}`)).map((crowd) =>
      crowdResult(crowd, of.get(`crowd/${crowd.name}`)),
    ),
  };
}

function groupBy(pairs) {
  const groups = new Map();
  for (const [key, value] of pairs) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

/** Place of the signup of a wave from which on it must be known. */
export const knownFromOf = ({ atProvider = false }) => (atProvider ? KNOWN_FROM_AT_PROVIDER : KNOWN_FROM);

/** Name of the floor of a wave; `null` where it has none. */
export function floorOf({ isMask = false, isBombing = false, isDecoy = false }) {
  if (isDecoy) return null;
  return isMask ? 'mask' : isBombing ? 'bombing' : 'wave';
}

function waveResult(wave, decided) {
  const knownFrom = knownFromOf(wave);
  const late = decided.slice(knownFrom - 1);
  const first = decided.findIndex(isStopped) + 1;
  return {
    name: wave.name,
    signups: decided.length,
    knownFrom,
    /** 0: none was. */
    first,
    stopped: share(late.filter(isStopped).length, late.length),
    blocked: share(late.filter(({ verdict }) => verdict === 'block').length, late.length),
    floor: floorOf(wave),
  };
}

function crowdResult({ name, mayBeChallenged = false }, decided) {
  const count = (wanted) => decided.filter(({ verdict }) => verdict === wanted).length;
  const [challenged, blocked] = [count('challenge'), count('block')];
  return { name, people: decided.length, challenged, blocked, mayBeChallenged };
}

function everydayResult(rows, decisions, alone) {
  const result = { people: 0, challenged: 0, blocked: 0, newly: 0 };
  const rank = { allow: 0, challenge: 1, block: 2 };
  const touched = new Map();
  let place = -1;
  for (const [at, { kind, name }] of rows.entries()) {
    if (kind !== 'everyday') continue;
    place += 1;
    if (NOT_ORDINARY.includes(name)) continue;
    const { verdict } = decisions[at];
    result.people += 1;
    if (verdict === 'challenge') result.challenged += 1;
    if (verdict === 'block') result.blocked += 1;
    if (rank[verdict] > rank[alone[place].verdict]) result.newly += 1;
    if (verdict !== 'allow') touched.set(name, (touched.get(name) ?? 0) + 1);
  }
  return { ...result, touched: Object.fromEntries(touched) };
}
