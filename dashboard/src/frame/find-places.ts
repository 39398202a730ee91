/** Finds pages and commands by the words that a person types; nothing of it is sent. */
import type { AccountPath } from '../pages.ts';
import { accountHref } from '../scope.ts';
import COMMANDS from './find-commands.json';
import type { Current } from './use-current.ts';

export interface Place {
  readonly id: string;
  readonly kind: 'page' | 'command' | 'account';
  readonly title: string;
  readonly note: string;
  readonly href: string;
  /** Its title begins with the text. */
  readonly isStart: boolean;
}

export interface PlacesOptions {
  readonly current: Current;
  readonly operator: boolean;
  /** Other accounts of the person. */
  readonly accounts: readonly { readonly id: string; readonly name: string }[];
}

/** @param text empty: all pages */
export function findPlaces(text: string, { current, operator, accounts }: PlacesOptions): Place[] {
  const { account } = current;
  const pages = current.sections.flat().map((page) => ({
    id: `page ${page.path}`,
    kind: 'page' as const,
    title: page.title,
    words: '',
    note: 'Page',
    href: current.href(page),
  }));
  if (text === '') return pages.map(({ words: _, ...page }) => ({ ...page, isStart: false }));
  const mayManage = operator || account?.role === 'owner';
  const commands = COMMANDS.filter(({ role }) => role === undefined || mayManage).flatMap((command) => {
    const query = command.open === undefined ? {} : { open: command.open };
    const isOfAccount = !command.page.startsWith('/');
    if (isOfAccount && account === undefined) return [];
    const href = isOfAccount
      ? accountHref(account?.id ?? '', command.page as AccountPath, query)
      : command.page;
    return [{ id: `command ${command.title}`, kind: 'command' as const, note: 'Command', href, ...command }];
  });
  const others = accounts
    .filter(({ id }) => id !== account?.id)
    .map(({ id, name }) => ({
      id: `account ${id}`,
      kind: 'account' as const,
      title: name,
      words: 'account switch',
      note: 'Account',
      href: accountHref(id, 'today'),
    }));
  return [...pages, ...commands, ...others]
    .filter(({ title, words }) => hasWords(`${title} ${words}`, text))
    .map(({ id, kind, title, note, href }) => ({
      id,
      kind,
      title,
      note,
      href,
      isStart: startsWith(title, text),
    }))
    .sort((a, b) => Number(b.isStart) - Number(a.isStart));
}

/** Whether each word of the text begins a word of the name. */
function hasWords(name: string, text: string): boolean {
  const words = wordsOf(name);
  return wordsOf(text).every((typed) => words.some((word) => word.startsWith(typed)));
}

function startsWith(name: string, text: string): boolean {
  return name.toLowerCase().startsWith(text.toLowerCase());
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/);
}
