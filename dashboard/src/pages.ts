/** Reads the table of all pages, pages.json: one row a page, whose key is its path, and links typed by it. */
import table from './pages.json';

export interface PageRow {
  readonly title: string;
  /** `pages/<file>.tsx`, which exports one component whose name ends in `Page`. */
  readonly file: string;
  /**
   * Person who sees it. `anyone`: also without being signed in. `owner`: in the navigation of owners and operators only; `analyst`: in that of analysts, too.
   * Without it: everybody who is signed in, members of the account if the page belongs to one.
   */
  readonly role?: 'anyone' | 'analyst' | 'owner' | 'operator';
  /** Its place in the navigation; `letter`: after `g`, it opens the page. */
  readonly menu?: { readonly section: string; readonly icon: string; readonly letter: string };
  /** Its name among the tabs of the operator. */
  readonly tab?: string;
  /** The parts of the top bar that it uses. */
  readonly uses?: readonly ('mode' | 'period')[];
  /** Its tables are tested at every width. */
  readonly table?: boolean;
  /** Views that tests and screenshots open: a name, and the text after the path. `:blocked` is the id of a blocked signup. */
  readonly views: Readonly<Record<string, string>>;
}

export interface Page extends PageRow {
  /** Path below `/accounts/:account/`, or from the root if it begins with a slash. */
  readonly path: string;
}

type Key = keyof typeof table;
type LinkTo<Path> = Path extends `${infer Start}/:${string}?`
  ? Start | `${Start}/${string}`
  : Path extends `${infer Start}/:${string}/${infer End}`
    ? `${Start}/${string}/${End}`
    : Path;

/** The path of a page of an account: `assessments`, `assessments/req_1`. */
export type AccountPath = LinkTo<Exclude<Key, `/${string}`>>;
/** The path of a page of the installation or of the person: `/profile`. */
export type RootPath = LinkTo<Extract<Key, `/${string}`>>;

export const PAGES: readonly Page[] = Object.entries(table as Record<string, PageRow>).map(([path, row]) => ({
  ...row,
  path,
}));

export function isOfAccount({ path }: Page): boolean {
  return !path.startsWith('/');
}

/** The path without its parameters: `assessments`, `/intelligence`. */
export function pathOf({ path }: Page): string {
  return path.replace(/\/:.*/, '');
}

/** A link from the root, checked by the compiler. */
export function linkTo(path: RootPath): string {
  return path;
}
