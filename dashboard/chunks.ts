/**
 * Groups the modules of the pages into few files, because each costs a slow line a round trip: what every page starts
 * with, the frame, what several pages share, what shows one signup, the share of a key, and apart from it the fields of forms, and what menus
 * and dialogs need, which is a quarter of all and not needed to look at a page.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Components of the library that need its positioning, focus or scrolling code. */
const HEAVY =
  /import \{[^}]*\b(?:Combobox|Drawer|Menu|Modal|Popover|ScrollArea|Select|Tooltip)\b[^}]*\} from '@mantine\/core'/;
/** Imports of a file of ours that are there when it runs: not of types, and not later. */
const STATIC = /^(?:import|export) (?!type)[^;]*? from '(\.[^']+)';/gm;
const OURS = /\/src\/.*\.tsx?$/;
/** Each page has a file of its own, also one that another page is made of. */
const PAGE = /-page\.tsx$/;

const heavy = new Map<string, boolean>();

/** Whether a file of ours, or one that it imports, uses a heavy component. */
function isHeavy(file: string): boolean {
  const known = heavy.get(file);
  if (known !== undefined) return known;
  // Files that import each other: the first to be asked decides.
  heavy.set(file, false);
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(STATIC)].map(([, path = '']) => join(dirname(file), path));
  const is = HEAVY.test(text) || imports.some((path) => OURS.test(path) && existsSync(path) && isHeavy(path));
  heavy.set(file, is);
  return is;
}

/** Components of the library that need no other. */
const FIELD = /@mantine\/core\/.*\/(?:Checkbox|Radio|Switch|Tabs|Textarea)\.mjs$/;
/** The field of numbers: twice as large as all others, and for few pages. */
const NUMBER_FIELD = /@mantine\/core\/.*\/NumberInput\.mjs$|node_modules\/react-number-format\//;
/** Parts of the library that pages need also without its other fields and hooks. */
const SMALL = /@mantine\/core\/.*\/PasswordInput\.mjs$|@mantine\/hooks\/.*\/use-debounced-value\//;

/** Files that show one signup: beside a list after a click, or as a page of its own. */
const OF_SIGNUP = /\/pages\/(?:assessment-(?!page)|listing-(?:preview|contradictions|office))/;
/** Files about the share of a key, which the pages Keys and Shadow mode have in common. */
const OF_SHARE = /\/pages\/key-(?:readiness|shadow|share)/;
/** Files of the two audit logs alone, which belong to their page: no other page has to load them. */
const OF_AUDIT = /\/pages\/audit-/;
/** The way to the OpenID provider, which only pages before a sign-in and the profile need. */
const OF_SIGN_IN = /\/pages\/oidc-/;
const isShared = (id: string) =>
  (OURS.test(id) && !PAGE.test(id) && !OF_AUDIT.test(id) && !OF_SIGN_IN.test(id) && !isHeavy(id)) ||
  SMALL.test(id);

export const GROUPS = [
  { name: 'base', tags: ['$initial' as const], priority: 5 },
  { name: 'frame', test: /dashboard\/src\/frame\/frame\.tsx$/, priority: 4 },
  { name: 'fields', test: FIELD, priority: 3 },
  { name: 'number', test: NUMBER_FIELD, priority: 2.5 },
  {
    name: 'shared',
    minShareCount: 2,
    test: (id: string) => isShared(id) && !OF_SIGNUP.test(id) && !OF_SHARE.test(id),
    priority: 2,
  },
  {
    name: 'signup',
    minShareCount: 2,
    test: (id: string) => isShared(id) && OF_SIGNUP.test(id),
    priority: 1.5,
  },
  {
    name: 'share',
    minShareCount: 2,
    test: (id: string) => isShared(id) && OF_SHARE.test(id),
    priority: 1.5,
  },
  { name: 'oidc', minShareCount: 2, test: OF_SIGN_IN, priority: 1.2 },
  {
    name: 'dialogs',
    minShareCount: 2,
    test: (id: string) => !PAGE.test(id) && !OF_AUDIT.test(id),
    priority: 1,
  },
];
