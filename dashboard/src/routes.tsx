/** Decides which component is shown at a path. Pages are loaded when they are first opened. */
import { type ComponentType, lazy } from 'react';
import { isOfAccount, PAGES, type Page } from './pages.ts';

export interface PageRoute extends Page {
  /** From the root, with its parameters. */
  readonly route: string;
  readonly component: ComponentType;
}

const FILES = import.meta.glob<Record<string, ComponentType>>('./pages/*-page.tsx');

export const ROUTES: readonly PageRoute[] = PAGES.map((page) => ({
  ...page,
  route: isOfAccount(page) ? `/accounts/:account/${page.path}` : page.path,
  component: lazily(page.file),
}));

function lazily(file: string): ComponentType {
  return lazy(async () => {
    const exported = await FILES[`./pages/${file}.tsx`]?.();
    const component = Object.entries(exported ?? {}).find(([name]) => name.endsWith('Page'))?.[1];
    if (component === undefined) throw new Error(`pages/${file}.tsx exports no page.`);
    return { default: component };
  });
}
