// Names of companies, universities and bought domains that are nobody's in particular, and what DNS and a registry say of them.
import { BASELINE_FILE } from '../../dist/intel/bundled-snapshot.js';
import { openSnapshot } from '../../dist/intel/snapshot.js';
import { ADJECTIVES, CREATURES, NAMES, NOUNS } from './names.mjs';

const DAY_MS = 86_400_000;
const TRADES = {
  de: [
    'bau',
    'technik',
    'elektro',
    'consulting',
    'immobilien',
    'logistik',
    'metallbau',
    'verlag',
    'praxis',
    'steuerberatung',
    'reisen',
    'software',
    'gmbh',
    'design',
    'autohaus',
    'backerei',
  ],
  fr: [
    'conseil',
    'batiment',
    'immobilier',
    'avocats',
    'traiteur',
    'transports',
    'informatique',
    'associes',
    'menuiserie',
    'assurances',
  ],
  es: [
    'asesores',
    'construcciones',
    'abogados',
    'consultores',
    'motor',
    'servicios',
    'inmobiliaria',
    'sistemas',
    'textil',
  ],
  pt: [
    'engenharia',
    'advogados',
    'contabilidade',
    'transportes',
    'sistemas',
    'imoveis',
    'moveis',
    'odonto',
    'tecnologia',
  ],
  it: [
    'costruzioni',
    'impianti',
    'studio',
    'arredamenti',
    'trasporti',
    'servizi',
    'vini',
    'legale',
    'grafica',
  ],
  pl: ['bud', 'trans', 'serwis', 'nieruchomosci', 'kancelaria', 'meble', 'auto', 'projekt'],
  ru: ['stroy', 'trade', 'servis', 'mebel', 'avto', 'grupp', 'media', 'tekh'],
  zh: ['tech', 'keji', 'trade', 'group', 'electronics', 'import', 'info'],
  en: [
    'law',
    'consulting',
    'plumbing',
    'design',
    'studio',
    'partners',
    'group',
    'dental',
    'media',
    'labs',
    'software',
    'homes',
    'capital',
    'bakery',
    'roofing',
    'realty',
    'foods',
    'tech',
    'solutions',
    'systems',
    'architects',
    'wealth',
    'photo',
  ],
};
const ROUTERS = {
  google: ['aspmx.l.google.com', 'alt1.aspmx.l.google.com'],
  cloudflare: ['route1.mx.cloudflare.net', 'route2.mx.cloudflare.net', 'route3.mx.cloudflare.net'],
  zoho: ['mx.zoho.com', 'mx2.zoho.com'],
  namecheap: ['eforward1.registrar-servers.com', 'eforward2.registrar-servers.com'],
};
const MAIL = [
  ['microsoft', 34],
  ['google', 30],
  ['own', 20],
  ['zoho', 5],
  ['cloudflare', 6],
  ['namecheap', 5],
];
const CHEAP = [
  'xyz',
  'top',
  'site',
  'online',
  'shop',
  'click',
  'store',
  'fun',
  'icu',
  'pro',
  'com',
  'com',
  'net',
  'org',
  'info',
];
const CONSONANTS = [
  'b',
  'd',
  'f',
  'g',
  'k',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  't',
  'v',
  'z',
  'br',
  'tr',
  'st',
  'dr',
  'kr',
  'pl',
];
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'oa', 'ei'];

/** A name that is drawn may be a real one, such as `yu.com`. Nobody of a firm or a club has mail at a throw-away domain. */
const snapshot = await openSnapshot(BASELINE_FILE);
const isThrowAway = (name) => snapshot.domain(name).disposable;

const plain = (name) => name.replace(/[ -]/g, '');

/** Letters that can be pronounced and mean nothing. */
export function drawGibberish(random, minLetters, maxLetters) {
  const length = random.between(minLetters, maxLetters);
  let text = random.chance(0.3) ? random.pick(VOWELS) : '';
  while (text.length < length) text += random.pick(CONSONANTS) + random.pick(VOWELS);
  return text.slice(0, length);
}

/** `zone`: gets what DNS and the registry say of each name that is made. `from`: start of the month. */
export function createDomains(random, from) {
  const zone = new Map();
  const taken = new Set();
  const unique = (make) => {
    for (;;) {
      const name = make();
      if (taken.has(name) || isThrowAway(name)) continue;
      taken.add(name);
      return name;
    }
  };
  const exchanges = (kind, name) =>
    kind === 'own'
      ? [`mail.${name}`]
      : kind === 'microsoft'
        ? [`${name.replaceAll('.', '-')}.mail.protection.outlook.com`]
        : ROUTERS[kind];
  const put = (name, kind, registeredAt) => {
    zone.set(name, { mx: exchanges(kind, name), registeredAt });
    return name;
  };
  const yearsAgo = () => from - Math.floor(DAY_MS * (60 + 7_000 * random.next() ** 1.5));

  return {
    zone,
    put,
    /** A firm, shop, practice or club of a country. `mail`: where its mail is; drawn if left out. */
    company(language, endings, mail = random.weighted(MAIL)) {
      const trades = TRADES[language] ?? TRADES.en;
      const { last } = NAMES.get(language);
      const name = unique(() => {
        const owner = plain(random.pick(last));
        const stem = random.weighted([
          [`${owner}-${random.pick(trades)}`, 30],
          [`${owner}${random.pick(trades)}`, 26],
          [`${random.pick(ADJECTIVES)}${random.pick(NOUNS)}`, 12],
          [`${random.pick(CREATURES)}${random.pick(trades)}`, 8],
          [`${owner}${plain(random.pick(last))}`, 8],
          [`${owner}`, 4],
          [`${drawGibberish(random, 4, 7)}`, 5],
          [`${random.text(3, 'abcdefghijklmnoprstvw')}${random.pick(trades)}`, 4],
          [`${random.pick(trades)}-${owner}`, 3],
        ]);
        return `${stem}.${random.pick(endings)}`;
      });
      return put(name, mail, yearsAgo());
    },
    /** Below a suffix that institutions alone can have, or in a country without one. */
    university(language, suffix) {
      const place = plain(random.pick(NAMES.get(language).last));
      const name = unique(() =>
        suffix === 'de'
          ? `uni-${place}${random.pick(['berg', 'stadt', 'heim', 'feld'])}${random.below(10) || ''}.de`
          : suffix === 'fr'
            ? `etu.univ-${place}${random.below(30) || ''}.fr`
            : `${place}${random.pick(['', 'state', 'tech', 'college'])}${random.below(30) || ''}.${suffix}`,
      );
      const registrable = suffix === 'fr' ? name.replace('etu.', '') : name;
      put(registrable, random.pick(['google', 'microsoft', 'own']), from - 18 * 365 * DAY_MS);
      return put(name, random.pick(['google', 'microsoft']), from - 18 * 365 * DAY_MS);
    },
    school(language, ending) {
      const place = plain(random.pick(NAMES.get(language).last));
      const name = unique(
        () =>
          `${random.pick(['gymnasium', 'lycee', 'academy', 'school', 'highschool'])}-${place}${random.below(40) || ''}.${ending}`,
      );
      return put(name, random.pick(['google', 'microsoft']), from - 9 * 365 * DAY_MS);
    },
    /** `manner`: one for all names that a person buys in a row. `ageDays`: at the start of the month it may not exist yet. */
    bought(manner, mail, registeredAt) {
      const name = unique(() => `${BOUGHT[manner](random)}.${random.pick(CHEAP)}`);
      return put(name, mail, registeredAt);
    },
  };
}

/** How one person names domains that are bought in a row. */
const BOUGHT = {
  words: (random) => `${random.pick(ADJECTIVES)}${random.pick(NOUNS)}`,
  gibberish: (random) => drawGibberish(random, 7, 10),
  letters: (random) => random.text(random.between(6, 8), 'abcdefghijklmnopqrstuvwxyz'),
  mail: (random) => `${random.pick(NOUNS)}${random.pick(['mail', 'box', 'post', 'inbox', 'hub', 'zone'])}`,
  digits: (random) => `${random.pick(NOUNS)}${random.between(10, 999)}`,
  hyphen: (random) => `${random.pick(NOUNS)}-${random.pick(NOUNS)}`,
};
export const MANNERS = Object.keys(BOUGHT);
